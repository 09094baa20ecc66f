/** Every command: what help and the documentation say about it. */
import { CHECK_FLAGS } from './config/config-flags.ts';
import type { Flag } from './flag.ts';
import { SERVE_FLAGS } from './flags.ts';
import { KUBECONFIG_FLAGS } from './kubeconfig-flags.ts';

export interface Command {
  readonly name: string;
  /** After `coxswain`. */
  readonly usage: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** One paragraph each. */
  readonly details: readonly string[];
  readonly flags: readonly Flag<unknown>[];
  /** Whether its flags are read from the command line alone. */
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
      'Exit code 0: no errors; 1: errors, or warnings with --strict; 2: a file cannot be read, or the command was called wrongly.',
    ],
    flags: Object.values(CHECK_FLAGS),
    ignoresEnvironment: true,
  },
  { name: 'version', usage: 'version', summary: 'print the version', details: [], flags: [] },
  { name: 'help', usage: 'help [command]', summary: 'say what a command does, with its flags', details: [], flags: [] },
];
