/**
 * Flags of `serve`. Command line, environment (`COXSWAIN_ETCD_SERVERS`) and config file (`etcd-servers:`) take
 * precedence in this order.
 */
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { describeFeatureGates, parseFeatureGates } from './feature-gates.ts';
import { optional, type OptionsOf, withDefault } from './flag.ts';
import {
  address,
  boolean,
  bytes,
  domain,
  durationMs,
  durationOfAtLeast,
  integer,
  oneOf,
  originPatterns,
  servers,
  text,
} from './flag-parsers.ts';

const MAX_PORT = 65_535;
const MAX_VERBOSITY = 10;

export const SERVE_FLAGS = {
  etcdServers: optional({
    name: 'etcd-servers',
    placeholder: 'URL,URL',
    help: 'Members of the etcd that holds the objects. Without it they are kept in --data-dir.',
    parse: servers,
  }),
  etcdPrefix: withDefault({
    name: 'etcd-prefix',
    placeholder: 'PATH',
    help: 'All keys in etcd live under it.',
    default: '/registry',
    parse: text,
  }),
  etcdCafile: optional({
    name: 'etcd-cafile',
    placeholder: 'FILE',
    help: 'CA certificates (PEM) that etcd must show one of.',
    parse: text,
  }),
  etcdCertfile: optional({
    name: 'etcd-certfile',
    placeholder: 'FILE',
    help: 'Client certificate (PEM) for etcd; together with --etcd-keyfile.',
    parse: text,
  }),
  etcdKeyfile: optional({
    name: 'etcd-keyfile',
    placeholder: 'FILE',
    help: 'Key (PEM) of --etcd-certfile.',
    parse: text,
  }),
  etcdUsername: optional({
    name: 'etcd-username',
    placeholder: 'NAME',
    help: 'User of etcd; together with --etcd-password-file.',
    parse: text,
  }),
  etcdPasswordFile: optional({
    name: 'etcd-password-file',
    placeholder: 'FILE',
    help: 'File with the password of --etcd-username.',
    parse: text,
  }),
  etcdClient: withDefault({
    name: 'etcd-client',
    placeholder: 'native|etcd3',
    help: 'What carries the calls to etcd: the HTTP/2 of this server, which is faster, or the etcd3 package on grpc-js.',
    default: 'native',
    parse: oneOf('native', 'etcd3'),
  }),
  dataDir: withDefault({
    name: 'data-dir',
    placeholder: 'DIR',
    help: 'Holds the certificates that the server makes (pki/), the kubeconfig of its admin (admin.kubeconfig) and, without --etcd-servers, the objects.',
    default: './data',
    parse: text,
  }),
  http2: withDefault({
    name: 'http2',
    placeholder: 'native|node|off',
    help: 'What speaks HTTP/2: this server, whose watches cost less, or Node.js; off: clients speak HTTP/1.1.',
    default: 'native',
    parse: oneOf('native', 'node', 'off'),
  }),
  disableHttp2Serving: withDefault({
    name: 'disable-http2-serving',
    placeholder: 'BOOL',
    help: 'The same as --http2=off, under the name that kube-apiserver gives it.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
  bindAddress: withDefault({
    name: 'bind-address',
    placeholder: 'ADDRESS',
    help: 'Where --secure-port listens. 0.0.0.0 and :: are all addresses of the machine.',
    default: '127.0.0.1',
    parse: address,
  }),
  securePort: withDefault({
    name: 'secure-port',
    placeholder: 'PORT',
    help: 'HTTPS. 0: off.',
    default: '6443',
    parse: integer(0, MAX_PORT, 'a port'),
  }),
  tlsCertFile: optional({
    name: 'tls-cert-file',
    placeholder: 'FILE',
    help: 'Certificate (PEM) of the server, then those between it and its CA; together with --tls-private-key-file. Read again when it changes. Without it the server makes one in --data-dir.',
    parse: text,
  }),
  tlsPrivateKeyFile: optional({
    name: 'tls-private-key-file',
    placeholder: 'FILE',
    help: 'Key (PEM) of --tls-cert-file.',
    parse: text,
  }),
  clientCaFile: optional({
    name: 'client-ca-file',
    placeholder: 'FILE',
    help: 'CA certificates (PEM): who shows a certificate of one of them is the user of its common name, in the groups of its organizations. Read again when it changes. Without it that is the CA that the server makes in --data-dir.',
    parse: text,
  }),
  tokenAuthFile: optional({
    name: 'token-auth-file',
    placeholder: 'FILE',
    help: 'Bearer tokens, a line each: token,user,uid,"group1,group2". Read at the start.',
    parse: text,
  }),
  anonymousAuth: withDefault({
    name: 'anonymous-auth',
    placeholder: 'BOOL',
    help: 'Whether HTTPS without credentials is let in as system:anonymous, who sees health and version only.',
    default: 'true',
    alone: 'true',
    parse: boolean,
  }),
  corsAllowedOrigins: withDefault({
    name: 'cors-allowed-origins',
    placeholder: 'PATTERN,PATTERN',
    help: 'Regular expressions of the origins whose web pages may use the API, WebSocket watches among it, such as "^https://example\\.com$". Without any, only WebSocket watches of pages of this server\'s own origin; a proxy in between, such as kubectl proxy, makes it another one.',
    default: '',
    parse: originPatterns,
  }),
  insecurePort: withDefault({
    name: 'insecure-port',
    placeholder: 'PORT',
    help: 'Plain HTTP on loopback only; whoever reaches it is an admin, web pages of --cors-allowed-origins among them. 0: off.',
    default: '0',
    parse: integer(0, MAX_PORT, 'a port'),
  }),
  groupSuffix: withDefault({
    name: 'group-suffix',
    placeholder: 'DOMAIN',
    help: 'Ends the names of the API groups that have a suffix. Part of every stored object: the same for the life of a store.',
    default: DEFAULT_GROUP_SUFFIX,
    parse: domain,
  }),
  featureGates: withDefault({
    name: 'feature-gates',
    placeholder: 'NAME=BOOL,…',
    help: `LoopTicks features on or off. ${describeFeatureGates()}`,
    default: '',
    parse: parseFeatureGates,
  }),
  eventTtl: withDefault({
    name: 'event-ttl',
    placeholder: 'DURATION',
    help: 'How long an Event is kept after its last write; it is gone some seconds after that.',
    default: '1h',
    parse: durationMs,
  }),
  serverTimeout: withDefault({
    name: 'server-timeout',
    placeholder: 'DURATION',
    help: 'When this server gave no sign of life for so long, the others take it for gone and remove its entries from the StorageVersions. It gives three in that time.',
    default: '60s',
    parse: durationOfAtLeast(1000),
  }),
  historyMaxBytes: withDefault({
    name: 'history-max-bytes',
    placeholder: 'BYTES',
    help: 'Past states that the embedded store keeps at most, for watches and pages.',
    default: '256Mi',
    parse: bytes,
  }),
  watchCacheRingBytes: withDefault({
    name: 'watch-cache-ring-bytes',
    placeholder: 'BYTES',
    help: 'Recent changes that are kept in memory per resource, for watches that resume: those of the last 75 s and at least 100, as far as they are no more than this.',
    default: '32Mi',
    parse: bytes,
  }),
  watchBufferBytes: withDefault({
    name: 'watch-buffer-bytes',
    placeholder: 'BYTES',
    help: 'A watch whose client leaves more than this unread is cut off. The bytes are kept once for all such watches of a resource, beyond what --watch-cache-ring-bytes keeps anyway; besides, the connection of each holds about 64 KB, or one change where that is more.',
    default: '32Mi',
    parse: bytes,
  }),
  representationCacheBytes: withDefault({
    name: 'representation-cache-bytes',
    placeholder: 'BYTES',
    help: 'Memory for derived forms of objects, such as compressed lists.',
    default: '64Mi',
    parse: bytes,
  }),
  requestTimeout: withDefault({
    name: 'request-timeout',
    placeholder: 'DURATION',
    help: 'After this a request that is no watch answers 504.',
    default: '60s',
    parse: durationMs,
  }),
  minRequestTimeout: withDefault({
    name: 'min-request-timeout',
    placeholder: 'DURATION',
    help: 'A watch that names no time lasts this long, to twice this long.',
    default: '30m',
    parse: durationMs,
  }),
  logFormat: withDefault({
    name: 'log-format',
    placeholder: 'text|json',
    help: 'How log lines are written.',
    default: 'text',
    parse: oneOf('text', 'json'),
  }),
  verbosity: withDefault({
    name: 'v',
    placeholder: 'NUMBER',
    help: 'How much is logged; 2 and more: every detail.',
    default: '0',
    parse: integer(0, MAX_VERBOSITY, 'a number'),
  }),
  config: optional({
    name: 'config',
    placeholder: 'FILE',
    help: 'YAML or JSON file with flags by name, such as "data-dir: /var/lib/coxswain".',
    parse: text,
  }),
} as const;

export type ServeOptions = OptionsOf<typeof SERVE_FLAGS>;
