/** Flags of `kubeconfig`. */
import { optional, type OptionsOf, withDefault } from './flag.ts';
import { httpsUrl, namespace, text, texts } from './flag-parsers.ts';
import { SERVE_FLAGS } from './flags.ts';

export const KUBECONFIG_FLAGS = {
  dataDir: withDefault({
    ...SERVE_FLAGS.dataDir,
    help: 'Folder of the server, with the CA that signs. The server may run or not.',
  }),
  server: optional({
    name: 'server',
    placeholder: 'URL',
    help: 'Where clients reach the server. Without it the address that it was started with last.',
    parse: httpsUrl,
  }),
  user: optional({
    name: 'user',
    placeholder: 'NAME',
    help: 'Who the certificate is for. Without it the admin.',
    parse: text,
  }),
  group: optional({
    name: 'group',
    placeholder: 'NAME',
    help: 'A group of the user; several: once each, or separated by commas.',
    repeatable: true,
    parse: texts,
  }),
  namespace: optional({
    name: 'namespace',
    placeholder: 'NAME',
    help: 'Where commands look that name none.',
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
