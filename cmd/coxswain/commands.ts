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
      'Serves the API over HTTPS. On first start it makes a CA, a certificate for itself and one for its admin in --data-dir, also when the objects are in etcd, and writes admin.kubeconfig there.',
      'Each flag may also stand in the environment (--data-dir: COXSWAIN_DATA_DIR) and, by name, in the file that --config gives. The command line counts before the environment, the environment before the file.',
    ],
    flags: Object.values(SERVE_FLAGS),
  },
  {
    name: 'kubeconfig',
    usage: 'kubeconfig [flags]',
    summary: 'write a kubeconfig for another address, user or namespace',
    details: [
      'Makes a client certificate, valid for a year, with the CA that the server made in --data-dir, and writes a kubeconfig that holds it. Opens no store and does not talk to the server.',
      'Each flag may also stand in the environment (--data-dir: COXSWAIN_DATA_DIR).',
    ],
    flags: Object.values(KUBECONFIG_FLAGS),
  },
  {
    name: 'config check',
    usage: 'config check [flags] FILE…',
    summary: 'check configurations of the controller managers',
    details: [
      'Reads YAML or JSON, several documents in a file among it; - is standard input. Names every problem at once, with its line. Needs no server.',
      `What a ConfigMap holds comes through a pipe: kubectl get configmap NAME -o go-template='{{index .data "FILE"}}' | coxswain config check -`,
      'Exit code 0: no errors; 1: errors, or warnings with --strict; 2: a file cannot be read, whatever the others hold, or the command was called wrongly.',
    ],
    flags: Object.values(CHECK_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config defaults',
    usage: 'config defaults [flags] KIND',
    summary: 'print a configuration with every default, commented',
    details: [
      'KIND is ClusterControllerManagerConfiguration, CloudControllerManagerConfiguration or LeaderMigrationConfiguration. Of the last, which has no defaults that would do, the one that the components have built in.',
    ],
    flags: Object.values(DEFAULTS_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config view',
    usage: 'config view [flags] FILE',
    summary: 'print what a configuration comes to, defaults filled in',
    details: ['- is standard input. A file with errors is not shown; its problems are.'],
    flags: Object.values(VIEW_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config diff',
    usage: 'config diff [flags] A B',
    summary: 'compare what two configurations come to',
    details: [
      'Spelling, order and defaults make no difference. ~ is what both say otherwise, - what only A says, + what only B says.',
      'Exit code 0: they are the same; 1: they differ; 2: one has errors or cannot be read.',
    ],
    flags: Object.values(DIFF_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config explain',
    usage: 'config explain [flags] KIND.path',
    summary: 'say what a field is, with its default and where that comes from',
    details: [
      'Such as ClusterControllerManagerConfiguration.Generic.LeaderElection.renewDeadline. KIND alone lists its fields; it may also be a kind that stands inside of others, such as LeaderElectionConfiguration.',
    ],
    flags: Object.values(EXPLAIN_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config convert',
    usage: 'config convert [flags] FILE…',
    summary: 'rewrite configurations in the other spelling',
    details: [
      'Prints the file with names of kinds, groups and fields replaced, and fields moved that have another place now; everything else, comments among it, stays as it is. - is standard input. Several files need --write.',
      'Exit code 0: all is converted; 1: something could not be, which is named with its line; 2: a file cannot be read or written.',
    ],
    flags: Object.values(CONVERT_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config flags',
    usage: 'config flags [flags] FILE',
    summary: 'print the command-line flags that say the same to the original controller manager',
    details: ['One flag on a line, quoted for a POSIX shell, for what the file sets. Settings without a flag are named on standard error.'],
    flags: Object.values(FLAGS_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'config enabled',
    usage: 'config enabled [flags] FILE',
    summary: 'say which controllers run, and why',
    details: ['The list of controllers, feature gates, settings that a controller needs, and a leader migration decide.'],
    flags: Object.values(ENABLED_FLAGS),
    ignoresEnvironment: true,
  },
  {
    name: 'completion',
    usage: 'completion bash|zsh|fish',
    summary: 'print what makes a shell complete commands, flags and fields',
    details: ['To be sourced, in bash for instance: source <(coxswain completion bash).'],
    flags: [],
    ignoresEnvironment: true,
  },
  { name: 'version', usage: 'version', summary: 'print the version', details: [], flags: [] },
  { name: 'help', usage: 'help [command]', summary: 'say what a command does, with its flags', details: [], flags: [] },
];
