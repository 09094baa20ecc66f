/** All commands, for help and documentation. */
import {
  CHECK_FLAGS,
  CONVERT_FLAGS,
  DEFAULTS_FLAGS,
  DIFF_FLAGS,
  ENABLED_FLAGS,
  EXPLAIN_FLAGS,
  FLAGS_FLAGS,
  VIEW_FLAGS,
} from './config/config-flags.ts';
import type { Flag } from './flag.ts';
import { SERVE_FLAGS } from './flags.ts';
import { KUBECONFIG_FLAGS } from './kubeconfig-flags.ts';

export interface Command {
  readonly name: string;
  /** Follows `coxswain`. */
  readonly usage: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** One paragraph each. */
  readonly details: readonly string[];
  readonly flags: readonly Flag<unknown>[];
  /** Flags are read only from the command line. */
  readonly ignoresEnvironment?: boolean;
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    usage: 'serve [flags]',
    summary: 'run the server',
    details: [
      'Serves the API over HTTPS. On first start it generates a CA, a server certificate and an admin certificate in --data-dir, also with etcd, and writes admin.kubeconfig there.',
      'Each flag can also be set in the environment (--data-dir: COXSWAIN_DATA_DIR) or, by name, in the file of --config. The command line takes precedence over the environment, and the environment over the file.',
    ],
    flags: Object.values(SERVE_FLAGS),
  },
  {
    name: 'kubeconfig',
    usage: 'kubeconfig [flags]',
    summary: 'write a kubeconfig for another address, user or namespace',
    details: [
      'Issues a client certificate, valid for a year, with the CA in --data-dir, and writes a kubeconfig with it. Does not need the store or a running server.',
      'Each flag can also be set in the environment (--data-dir: COXSWAIN_DATA_DIR).',
    ],
    flags: Object.values(KUBECONFIG_FLAGS),
  },
  {
    name: 'config check',
    usage: 'config check [flags] FILE…',
    summary: 'check configurations of the controller managers',
    details: [
      'Reads YAML or JSON files, which may have several documents; - is standard input. Reports all problems with their lines. Needs no server.',
      `To check a ConfigMap: kubectl get configmap NAME -o go-template='{{index .data "FILE"}}' | coxswain config check -`,
      'Exit code 0: no errors; 1: errors, or warnings with --strict; 2: a file cannot be read or the command line is not valid.',
    ],
    flags: Object.values(CHECK_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config defaults',
    usage: 'config defaults [flags] KIND',
    summary: 'print a configuration with every default, commented',
    details: [
      'KIND is ClusterControllerManagerConfiguration, CloudControllerManagerConfiguration or LeaderMigrationConfiguration. The last one has no usable defaults; the built-in one of the components is printed.',
    ],
    flags: Object.values(DEFAULTS_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config view',
    usage: 'config view [flags] FILE',
    summary: 'print a configuration with all defaults',
    details: ['- is standard input. For a file with errors, the problems are printed instead.'],
    flags: Object.values(VIEW_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config diff',
    usage: 'config diff [flags] A B',
    summary: 'compare two configurations with all defaults',
    details: [
      'Ignores spelling, order and explicit defaults. ~ marks different values, - values only in A, + values only in B.',
      'Exit code 0: they are the same; 1: they differ; 2: one has errors or cannot be read.',
    ],
    flags: Object.values(DIFF_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config explain',
    usage: 'config explain [flags] KIND.path',
    summary: 'describe a field, its default and the source of that',
    details: [
      'For example ClusterControllerManagerConfiguration.Generic.LeaderElection.renewDeadline. KIND alone lists its fields; it may also be an inner kind, such as LeaderElectionConfiguration.',
    ],
    flags: Object.values(EXPLAIN_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config convert',
    usage: 'config convert [flags] FILE…',
    summary: 'rewrite configurations in the other spelling',
    details: [
      'Prints the file with kinds, groups and fields renamed or moved; everything else, including comments, is unchanged. - is standard input. Several files require --write.',
      'Exit code 0: converted completely; 1: something could not be converted and is reported with its line; 2: a file cannot be read or written.',
    ],
    flags: Object.values(CONVERT_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config flags',
    usage: 'config flags [flags] FILE',
    summary: 'print equivalent command-line flags of the original controller manager',
    details: [
      'One flag per line, quoted for a POSIX shell, for each setting of the file. Settings without a flag are listed on standard error.',
    ],
    flags: Object.values(FLAGS_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config enabled',
    usage: 'config enabled [flags] FILE',
    summary: 'list which controllers run, and why',
    details: ['Determined by the list of controllers, feature gates, required settings and leader migration.'],
    flags: Object.values(ENABLED_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'completion',
    usage: 'completion bash|zsh|fish',
    summary: 'print a shell script that completes commands, flags and fields',
    details: ['Source its output, for example in bash: source <(coxswain completion bash).'],
    flags: [],
    ignoresEnvironment: true,
  },
  { name: 'version', usage: 'version', summary: 'print the version', details: [], flags: [] },
  { name: 'help', usage: 'help [command]', summary: 'describe a command and its flags', details: [], flags: [] },
];
