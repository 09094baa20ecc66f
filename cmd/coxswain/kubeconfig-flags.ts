/** Flags of `kubeconfig`. */
import { optional, type OptionsOf, withDefault } from './flag.ts';
import { httpsUrl, namespace, text, texts } from './flag-parsers.ts';
import { SERVE_FLAGS } from './flags.ts';

export const KUBECONFIG_FLAGS = {
  dataDir: withDefault({
    ...SERVE_FLAGS.dataDir,
    help: 'Data directory of the server, with the CA that signs. The server need not run.',
  }),
  server: optional({
    name: 'server',
    placeholder: 'URL',
    help: 'URL of the server. Default: its last address.',
    parse: httpsUrl,
  }),
  user: optional({
    name: 'user',
    placeholder: 'NAME',
    help: 'User of the certificate. Default: the admin.',
    parse: text,
  }),
  group: optional({
    name: 'group',
    placeholder: 'NAME',
    help: 'Group of the user. May be repeated or separated by commas.',
    repeatable: true,
    parse: texts,
  }),
  namespace: optional({
    name: 'namespace',
    placeholder: 'NAME',
    help: 'Default namespace of commands.',
    parse: namespace,
  }),
  output: withDefault({
    name: 'output',
    placeholder: 'FILE',
    help: 'File to write, readable by its owner only. -: standard output.',
    default: '-',
    parse: text,
  }),
} as const;

export type KubeconfigOptions = OptionsOf<typeof KUBECONFIG_FLAGS>;
