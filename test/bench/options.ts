/** What to measure, from the command line. */
import { parseArgs } from 'node:util';

export const ROWS = [
  'create',
  'get',
  'list',
  'get-put',
  'patch',
  'fan-out',
  'https',
  'idle',
  'garbage',
  'audit',
  'access',
  'fairness',
  'ticks',
  'baseline',
  'memory',
  'start',
  'store',
  'cache',
  'validate',
  'protobuf',
  'config',
  'owners',
] as const;
export type RowName = (typeof ROWS)[number];
/** Rows of one server alone, and those over HTTPS, which every row is there. */
const NOT_BESIDE_REFERENCE: readonly RowName[] = [
  'https',
  'idle',
  'garbage',
  'audit',
  'access',
  'fairness',
  'ticks',
  'store',
  'cache',
  'validate',
  'config',
  'owners',
];
const REFERENCE_ROWS = ROWS.filter((row) => !NOT_BESIDE_REFERENCE.includes(row));

/**
 * Rows on single objects are measured with so many, or with the next size below; restarts and the mixed load with so
 * many and more.
 */
export const RATES_AT = 10_000;

export interface BenchOptions {
  readonly rows: ReadonlySet<RowName>;
  readonly sizes: readonly number[];
  /** Of each measured row, in all its rounds. */
  readonly seconds: number;
  /** How often the targets take turns at a row; the result in the middle counts. */
  readonly rounds: number;
  readonly watchers: readonly number[];
  /** Watchers that nothing is sent to. */
  readonly idle: readonly number[];
  /** After this many seconds nothing new is begun. */
  readonly budget: number;
  readonly backends: readonly ('etcd' | 'embedded')[];
  /** Measure the peer as well, built from its sources. */
  readonly peer: boolean;
  /** Measure beside Kubernetes' own server instead, everybody over HTTPS and HTTP/2 with a token. */
  readonly reference: boolean;
  readonly urls: readonly { readonly name: string; readonly baseUrl: string }[];
  readonly json: string | undefined;
  /** Write docs/performance.md, its pictures and figures. */
  readonly docs: boolean;
}

export const USAGE = `Measures the API server: node_modules/.bin/node test/bench/main.ts [options]

  --backends etcd,embedded   servers of our own to start and measure; default both, none with --url
  --peer                     builds a server on Kubernetes' own library (wants Go 1.26) and measures it in turns with the others
  --reference                builds kube-apiserver (wants Go 1.26) and measures it in turns with ours on etcd, by both of its clients
                             of etcd, everything over HTTPS and HTTP/2 with a bearer token
  --url [NAME=]http://…      measures that server too (may be repeated); its collections should be empty, objects are left behind;
                             the budget is held against one named peer
  --rows ${ROWS.join(',')}
  --sizes 1000,10000,100000  objects that lists, memory and start-up are measured with
  --watchers 1,100,1000      watchers of the fan-out rows
  --idle 1,100,1000,10000    watchers that nothing is sent to, while objects are written
  --seconds 2                time of each row
  --rounds 3                 parts of that time, in which the servers take turns; medians count (a few long rows have one part)
  --budget 900               seconds after which no further row is begun
  --json FILE                writes everything measured there as well
  --docs                     writes docs/performance.md, its pictures and its figures anew
`;

/** The name of the target that the budget is held against. */
export const PEER = 'peer';
/** The same with `--reference`. */
export const REFERENCE = 'reference';
/** Of targets that are no URL. */
const OWN_NAMES = ['etcd', 'embedded', 'microbenchmark'];

const list = (text: string): readonly string[] => text.split(',').filter((part) => part !== '');

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${flag} wants a number above 0, not "${text}"`);
  return value;
}

const counts = (flag: string, text: string): readonly number[] =>
  list(text)
    .map((count) => positive(flag, count))
    .sort((a, b) => a - b);

function oneOf<T extends string>(flag: string, known: readonly T[], text: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new Error(`--${flag} knows ${known.join(', ')}, not "${text}"`);
  return found;
}

/** Throws one sentence about what is wrong; undefined when only the usage was asked for. */
export function parseOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      backends: { type: 'string' },
      url: { type: 'string', multiple: true },
      rows: { type: 'string' },
      sizes: { type: 'string' },
      watchers: { type: 'string' },
      idle: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      peer: { type: 'boolean' },
      reference: { type: 'boolean' },
      budget: { type: 'string' },
      json: { type: 'string' },
      docs: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return undefined;
  const rounds = positive('rounds', values.rounds ?? '3');
  if (!Number.isInteger(rounds)) throw new Error(`--rounds wants a whole number, not "${values.rounds}"`);
  const urls = (values.url ?? []).map((text) => {
    const found = /^(?:([^=/:]+)=)?(http:\/\/.+?)\/*$/.exec(text);
    if (found === null) throw new Error(`--url wants [NAME=]http://HOST:PORT, not "${text}"`);
    return { name: found[1] ?? 'url', baseUrl: found[2] ?? '' };
  });
  const reference = values.reference === true;
  if (reference && (values.peer === true || urls.length > 0 || values.backends !== undefined))
    throw new Error('--reference measures servers of its own: leave --peer, --url and --backends out');
  const names = [...OWN_NAMES, ...(values.peer === true ? [PEER] : []), ...urls.map(({ name }) => name)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`--url wants names of their own: ${twice} is taken`);
  return {
    rows: new Set(
      values.rows === undefined ? (reference ? REFERENCE_ROWS : ROWS) : list(values.rows).map((row) => oneOf('rows', ROWS, row)),
    ),
    sizes: counts('sizes', values.sizes ?? (reference ? String(RATES_AT) : '1000,10000,100000')),
    seconds: positive('seconds', values.seconds ?? '2'),
    rounds,
    peer: values.peer === true,
    reference,
    watchers: counts('watchers', values.watchers ?? (reference ? '1000' : '1,100,1000')),
    idle: counts('idle', values.idle ?? '1,100,1000,10000'),
    budget: positive('budget', values.budget ?? '900'),
    backends: list(values.backends ?? (urls.length === 0 && !reference ? 'etcd,embedded' : '')).map((name) =>
      oneOf('backends', ['etcd', 'embedded'], name),
    ),
    urls,
    json: values.json,
    docs: values.docs === true,
  };
}
