/**
 * The flags of `serve`: one table. Each may come from the command line, from the environment (`COXSWAIN_ETCD_SERVERS`) or from the config
 * file (`etcd-servers:`); the first of them that names it counts.
 */
import { parseFeatureGates } from './feature-gates.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';

/** A mistake in how the command was called: one sentence for the user, exit code 2. */
export class UsageError extends Error {}

export interface Flag<Value> {
  /** Without dashes. A single letter is written with one dash. */
  readonly name: string;
  /** Stands for the value in help. */
  readonly placeholder: string;
  readonly help: string;
  /** As text; absent: none. */
  readonly default?: string;
  /** Throws a plain Error whose message completes "--name: ". */
  readonly parse: (text: string) => Value;
}

/** The default is parsed like what a user writes. */
interface DefaultedFlag<Value> extends Flag<Value> {
  readonly default: string;
}

const withDefault = <Value>(flag: DefaultedFlag<Value>): DefaultedFlag<Value> => flag;
const optional = <Value>(flag: Flag<Value>): Flag<Value> => flag;

const text = (value: string): string => {
  if (value === '') throw new Error('must not be empty');
  return value;
};

const integer =
  (least: number, most: number, what: string) =>
  (value: string): number => {
    const number = /^[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw new Error(`${JSON.stringify(value)} is not ${what} from ${least} to ${most}`);
    return number;
  };

const UNIT_BYTES: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

function bytes(value: string): number {
  const match = /^([0-9]{1,12})(k|M|G|Ki|Mi|Gi)?$/.exec(value);
  if (match === null) throw new Error(`${JSON.stringify(value)} is not a number of bytes, such as 256Mi`);
  return Number(match[1]) * (UNIT_BYTES[match[2] ?? ''] ?? 1);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationMs(value: string): number {
  const parts = [...value.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== value) {
    throw new Error(`${JSON.stringify(value)} is not a duration, such as 1h or 90s`);
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

function servers(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const url = part.trim();
    if (!URL.canParse(url)) throw new Error(`${JSON.stringify(url)} is not a URL, such as http://127.0.0.1:2379`);
    const { protocol, hostname } = new URL(url);
    if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') {
      throw new Error(`${JSON.stringify(url)} is not an http or https URL, such as http://127.0.0.1:2379`);
    }
    return url;
  });
}

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_SUFFIX = 200;

function domain(value: string): string {
  if (!DOMAIN.test(value) || value.length > MAX_SUFFIX) {
    throw new Error(`${JSON.stringify(value)} is not a domain name in lower case, such as ${DEFAULT_GROUP_SUFFIX}`);
  }
  return value;
}

function logFormat(value: string): 'text' | 'json' {
  if (value !== 'text' && value !== 'json') throw new Error(`${JSON.stringify(value)} is neither text nor json`);
  return value;
}

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
  dataDir: withDefault({
    name: 'data-dir',
    placeholder: 'DIR',
    help: 'Where the embedded store keeps the objects when there is no --etcd-servers.',
    default: './data',
    parse: text,
  }),
  insecurePort: withDefault({
    name: 'insecure-port',
    placeholder: 'PORT',
    help: 'Plain HTTP on loopback only; whoever reaches it is an admin. 0: off.',
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
    help: 'Turns features on or off.',
    default: '',
    parse: parseFeatureGates,
  }),
  eventTtl: withDefault({
    name: 'event-ttl',
    placeholder: 'DURATION',
    help: 'How long an Event is kept after its last write.',
    default: '1h',
    parse: durationMs,
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
    help: 'Recent changes that are kept in memory per resource, for watches that resume.',
    default: '32Mi',
    parse: bytes,
  }),
  memoBytes: withDefault({
    name: 'memo-bytes',
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
    parse: logFormat,
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

type FlagTable = typeof SERVE_FLAGS;
type ValueOf<F> = F extends DefaultedFlag<infer Value> ? Value : F extends Flag<infer Value> ? Value | undefined : never;
export type ServeOptions = { readonly [Name in keyof FlagTable]: ValueOf<FlagTable[Name]> };

export const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
export const environmentName = (name: string): string => `COXSWAIN_${name.toUpperCase().replaceAll('-', '_')}`;
