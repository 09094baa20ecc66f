/** Flags of `serve`. Precedence: command line, environment (`COXSWAIN_ETCD_SERVERS`), config file (`etcd-servers:`). */
import { NAMESPACE_LIFECYCLE_MODES } from '../../pkg/admission/namespace-lifecycle/namespace-lifecycle.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { FLOW_CONTROL_FLAGS } from './flow-control-flags.ts';
import { AUTHENTICATION_FLAGS } from './authentication-flags.ts';
import { AUTHORIZATION_FLAGS } from './authorization-flags.ts';
import { CONTROLLER_NAMES, parseControllers } from './controller-names.ts';
import { describeFeatureGates, parseFeatureGates } from './feature-gates.ts';
import { optional, type OptionsOf, withDefault } from './flag.ts';
import { HARDENING_FLAGS } from './hardening-flags.ts';
import {
  address,
  booleanFlag,
  bytes,
  domain,
  durationMs,
  durationFrom,
  integer,
  oneOf,
  originPatterns,
  servers,
  text,
} from './flag-parsers.ts';

const MAX_PORT = 65_535;

const MAX_VERBOSITY = 10;
const MAX_COUNT = 1_000_000;

export const SERVE_FLAGS = {
  etcdServers: optional({
    name: 'etcd-servers',
    placeholder: 'URL,URL',
    help: 'Members of the etcd that stores the objects. Default: objects are stored in --data-dir.',
    parse: servers,
  }),
  etcdPrefix: withDefault({
    name: 'etcd-prefix',
    placeholder: 'PATH',
    help: 'Prefix of all keys in etcd.',
    default: '/registry',
    parse: text,
  }),
  etcdCafile: optional({
    name: 'etcd-cafile',
    placeholder: 'FILE',
    help: 'CA certificates (PEM) to verify etcd with.',
    parse: text,
  }),
  etcdCertfile: optional({
    name: 'etcd-certfile',
    placeholder: 'FILE',
    help: 'Client certificate (PEM) for etcd. Requires --etcd-keyfile.',
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
    help: 'User of etcd. Requires --etcd-password-file.',
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
    help: 'Client for etcd: the built-in one, which is faster, or the etcd3 package on grpc-js.',
    default: 'native',
    parse: oneOf('native', 'etcd3'),
  }),
  dataDir: withDefault({
    name: 'data-dir',
    placeholder: 'DIR',
    help: 'Directory of generated certificates (pki/), the kubeconfig of the admin (admin.kubeconfig) and, without --etcd-servers, the objects.',
    default: './data',
    parse: text,
  }),
  namespaceLifecycle: withDefault({
    name: 'namespace-lifecycle',
    placeholder: NAMESPACE_LIFECYCLE_MODES.join('|'),
    help: 'What a create in a namespace that does not exist does: implicit makes the Namespace, strict refuses it, as Kubernetes does.',
    default: 'implicit',
    parse: oneOf(...NAMESPACE_LIFECYCLE_MODES),
  }),
  http2: withDefault({
    name: 'http2',
    placeholder: 'native|node|off',
    help: 'Implementation of HTTP/2: native, with cheaper watches, or that of Node.js. off: HTTP/1.1 only.',
    default: 'native',
    parse: oneOf('native', 'node', 'off'),
  }),
  disableHttp2Serving: booleanFlag({
    name: 'disable-http2-serving',
    help: 'Same as --http2=off, with the name that kube-apiserver uses.',
    default: 'false',
  }),
  bindAddress: withDefault({
    name: 'bind-address',
    placeholder: 'ADDRESS',
    help: 'Address of --secure-port. 0.0.0.0 and :: mean all addresses of the machine.',
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
    help: 'Certificate (PEM) of the server, followed by intermediate certificates. Requires --tls-private-key-file. Reloaded when it changes. Default: generated in --data-dir.',
    parse: text,
  }),
  tlsPrivateKeyFile: optional({
    name: 'tls-private-key-file',
    placeholder: 'FILE',
    help: 'Key (PEM) of --tls-cert-file.',
    parse: text,
  }),
  ...HARDENING_FLAGS,
  clientCaFile: optional({
    name: 'client-ca-file',
    placeholder: 'FILE',
    help: 'CA certificates (PEM) for client certificates, whose common name is the user and whose organizations are the groups. Reloaded when it changes. Default: the CA generated in --data-dir.',
    parse: text,
  }),
  tokenAuthFile: optional({
    name: 'token-auth-file',
    placeholder: 'FILE',
    help: 'Bearer tokens, one per line: token,user,uid,"group1,group2". Reloaded when it changes.',
    parse: text,
  }),
  ...AUTHORIZATION_FLAGS,
  manifestDir: optional({
    name: 'manifest-dir',
    placeholder: 'DIR',
    help: 'Folder of YAML and JSON files whose objects are applied at start and whenever a file changes, such as the roles of a chart. Objects whose files go away are left.',
    parse: text,
  }),
  auditPolicyFile: optional({
    name: 'audit-policy-file',
    placeholder: 'FILE',
    help: 'Audit policy (YAML or JSON, Policy of audit.<group-suffix>/v1): which requests are recorded, and in what detail. Reloaded when it changes. Default: none are.',
    parse: text,
  }),
  auditLogPath: optional({
    name: 'audit-log-path',
    placeholder: 'FILE',
    help: 'File for audit events, one line of JSON each; - is standard output. Requires --audit-policy-file.',
    parse: text,
  }),
  auditLogMaxage: withDefault({
    name: 'audit-log-maxage',
    placeholder: 'DAYS',
    help: 'How long rotated audit files are kept. 0: for ever.',
    default: '366',
    parse: integer(0, MAX_COUNT, 'a number of days'),
  }),
  auditLogMaxbackup: withDefault({
    name: 'audit-log-maxbackup',
    placeholder: 'NUMBER',
    help: 'How many rotated audit files are kept. 0: all.',
    default: '100',
    parse: integer(0, MAX_COUNT, 'a number of files'),
  }),
  auditLogMaxsize: withDefault({
    name: 'audit-log-maxsize',
    placeholder: 'MEGABYTES',
    help: 'Size at which the audit file is rotated. 0: never.',
    default: '100',
    parse: integer(0, MAX_COUNT, 'a number of megabytes'),
  }),
  auditWebhookConfigFile: optional({
    name: 'audit-webhook-config-file',
    placeholder: 'FILE',
    help: 'Kubeconfig of a webhook that audit events are sent to in batches. Requires --audit-policy-file.',
    parse: text,
  }),
  auditWebhookBatchBufferSize: withDefault({
    name: 'audit-webhook-batch-buffer-size',
    placeholder: 'NUMBER',
    help: 'How many events may wait for the webhook. Beyond it events are lost, which metrics and the log say.',
    default: '10000',
    parse: integer(1, MAX_COUNT, 'a number of events'),
  }),
  auditWebhookBatchMaxSize: withDefault({
    name: 'audit-webhook-batch-max-size',
    placeholder: 'NUMBER',
    help: 'How many events a batch for the webhook holds at most.',
    default: '400',
    parse: integer(1, MAX_COUNT, 'a number of events'),
  }),
  auditWebhookBatchMaxWait: withDefault({
    name: 'audit-webhook-batch-max-wait',
    placeholder: 'DURATION',
    help: 'How long an event waits for others before its batch is sent.',
    default: '30s',
    parse: durationMs,
  }),
  auditWebhookInitialBackoff: withDefault({
    name: 'audit-webhook-initial-backoff',
    placeholder: 'DURATION',
    help: 'How long to wait before a batch that failed is sent again. It is tried five times.',
    default: '10s',
    parse: durationMs,
  }),
  anonymousAuth: booleanFlag({
    name: 'anonymous-auth',
    help: 'Whether HTTPS requests without credentials are accepted as system:anonymous, who may read health, and what roles allow: at first, the version.',
    default: 'true',
  }),
  ...AUTHENTICATION_FLAGS,
  corsAllowedOrigins: withDefault({
    name: 'cors-allowed-origins',
    placeholder: 'PATTERN,PATTERN',
    help: 'Regular expressions of the origins whose web pages may use the API, including WebSocket watches, such as "^https://example\\.com$". Without any, only WebSocket watches from this server\'s own origin are allowed; a proxy, such as kubectl proxy, has another origin.',
    default: '',
    parse: originPatterns,
  }),
  insecurePort: withDefault({
    name: 'insecure-port',
    placeholder: 'PORT',
    help: 'Plain HTTP on loopback only, where every client is an admin, including web pages of --cors-allowed-origins. 0: off.',
    default: '0',
    parse: integer(0, MAX_PORT, 'a port'),
  }),
  groupSuffix: withDefault({
    name: 'group-suffix',
    placeholder: 'DOMAIN',
    help: 'Suffix of API group names. It is part of every stored object, so it cannot change for an existing store.',
    default: DEFAULT_GROUP_SUFFIX,
    parse: domain,
  }),
  featureGates: withDefault({
    name: 'feature-gates',
    placeholder: 'NAME=BOOL,…',
    help: `Turns features on or off. ${describeFeatureGates()}`,
    default: '',
    parse: parseFeatureGates,
  }),
  eventTtl: withDefault({
    name: 'event-ttl',
    placeholder: 'DURATION',
    help: 'How long an Event is stored after its last write. It is deleted some seconds later.',
    default: '1h',
    parse: durationMs,
  }),
  enableGarbageCollector: booleanFlag({
    name: 'enable-garbage-collector',
    help: 'Whether objects are deleted when all their owners are gone. false: propagation policies of deletes are ignored, too. Must be the same for all servers over one etcd.',
    default: 'true',
  }),
  controllers: withDefault({
    name: 'controllers',
    placeholder: 'NAME,-NAME,*',
    help: `Built-in controllers to run: a name, all others (*), or all but one (-NAME). There are ${CONTROLLER_NAMES.join(', ')}.`,
    default: '*',
    parse: parseControllers,
  }),
  serverTimeout: withDefault({
    name: 'server-timeout',
    placeholder: 'DURATION',
    help: 'Time without heartbeats of this server after which other servers remove its entries from the StorageVersions. It sends three heartbeats in that time.',
    default: '60s',
    parse: durationFrom(1000),
  }),
  historyMaxBytes: withDefault({
    name: 'history-max-bytes',
    placeholder: 'BYTES',
    help: 'Maximum size of the history that the embedded store keeps for watches and pages.',
    default: '256Mi',
    parse: bytes,
  }),
  watchCacheRingBytes: withDefault({
    name: 'watch-cache-ring-bytes',
    placeholder: 'BYTES',
    help: 'Maximum memory per resource for recent changes, from which watches resume: those of the last 75 s and at least 100.',
    default: '32Mi',
    parse: bytes,
  }),
  watchBufferBytes: withDefault({
    name: 'watch-buffer-bytes',
    placeholder: 'BYTES',
    help: 'Maximum unread bytes of a watch; beyond it the watch is closed. All watches of a resource share these bytes, in addition to --watch-cache-ring-bytes. Each connection also buffers about 64 KB, or one larger change.',
    default: '32Mi',
    parse: bytes,
  }),
  representationCacheBytes: withDefault({
    name: 'representation-cache-bytes',
    placeholder: 'BYTES',
    help: 'Memory for derived representations of objects, such as compressed lists.',
    default: '64Mi',
    parse: bytes,
  }),
  ...FLOW_CONTROL_FLAGS,
  requestTimeout: withDefault({
    name: 'request-timeout',
    placeholder: 'DURATION',
    help: 'Timeout of requests other than watches, which then get 504.',
    default: '60s',
    parse: durationMs,
  }),
  minRequestTimeout: withDefault({
    name: 'min-request-timeout',
    placeholder: 'DURATION',
    help: 'Minimum duration of a watch without a timeout; the maximum is twice that.',
    default: '30m',
    parse: durationMs,
  }),
  logFormat: withDefault({
    name: 'log-format',
    placeholder: 'text|json',
    help: 'Format of log lines.',
    default: 'text',
    parse: oneOf('text', 'json'),
  }),
  verbosity: withDefault({
    name: 'v',
    placeholder: 'NUMBER',
    help: 'Log level. 2 and above also log debug messages.',
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
