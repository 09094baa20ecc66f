/**
 * The performance budget: what each row must reach, as numbers. `check-goals.ts` holds what was measured against it.
 *
 * "Peer" is a server built on Kubernetes' own `k8s.io/apiserver` library (watch cache on, protobuf storage, managed
 * fields kept, no authentication). With `--peer` it is measured in the same run and its rows are what counts. Without,
 * the figures below do: they were taken once, of version 0.36.4, on two processors that client, server and etcd 3.5
 * shared, with 10,000 objects of 3.1 KB over plain HTTP/1.1, and hold for that machine.
 */
import type { RowName } from './options.ts';

/** What a figure is compared with. */
export type Baseline =
  | {
      readonly is: 'peer';
      /** What it was elsewhere, for runs without a peer; absent: nobody measured it. */
      readonly figure?: number;
      readonly times: number;
      /** Its name in texts; default: peer. */
      readonly shown?: string;
      /** What is taken of the peer; absent: the same as of ours. */
      readonly of?: { readonly row: string; readonly figure?: string };
    }
  /** A bound of its own. */
  | { readonly is: 'bound'; readonly figure: number }
  /** Another row of the same target. Without `times` it is shown and not checked. */
  | { readonly is: 'row'; readonly row: string; readonly shown: string; readonly times?: number }
  /** Another figure of the same row. */
  | { readonly is: 'detail'; readonly detail: string; readonly shown: string; readonly times: number; readonly plus: number };

export interface Goal {
  readonly work: string;
  /** Its row, by name. */
  readonly row: string | RegExp;
  /** One of the row's details; absent: its value. */
  readonly figure?: string;
  readonly unit: string;
  readonly bound: 'at least' | 'at most';
  readonly baseline: Baseline;
  /** The stores that it is checked on. */
  readonly on: readonly Store[];
  /** What the bench must have been asked for. */
  readonly part: RowName;
  readonly objects?: number;
  readonly watchers?: number;
}

export type Store = 'etcd' | 'embedded' | 'etcd3' | 'microbenchmark';

const BOTH: readonly Store[] = ['etcd', 'embedded'];
const TEN_THOUSAND = 10_000;
const HUNDRED_THOUSAND = 100_000;
const WATCHERS = 1000;
type PeerBaseline = Extract<Baseline, { is: 'peer' }> & { readonly figure: number };
const peer = (figure: number, times: number, of?: PeerBaseline['of']): PeerBaseline => ({
  is: 'peer',
  figure,
  times,
  ...(of === undefined ? {} : { of }),
});
const bound = (figure: number): Baseline => ({ is: 'bound', figure });

const lists: readonly Goal[] = (
  [
    ['list, 1 client', 'list, 1 client', 'lists/s', peer(3.0, 20)],
    ['list, 4 clients', 'list, 4 clients', 'lists/s', peer(3.8, 20)],
    ['list gzip, 1 client', 'list with gzip, 1 client', 'lists/s', peer(3.8, 50)],
    ['list gzip, 4 clients', 'list with gzip, 4 clients', 'lists/s', peer(3.8, 50)],
    ['pages of 500', 'walk over all pages of 500', 'walks/s', peer(2.7, 10)],
    ['list by selector (1 %)', 'list, label selector that matches 1 %', 'lists/s', peer(141, 5)],
    ['initial events', 'watch list: initial events until the bookmark', '/s', peer(1.9, 10)],
  ] as const
).map(([row, work, unit, baseline]) => ({
  work,
  row: `${row} of 10,000`,
  unit,
  bound: 'at least',
  baseline,
  on: BOTH,
  part: 'list',
  objects: TEN_THOUSAND,
}));

/**
 * With one client, the server waits for the store before each list, and `node:http` does not. Only the rows with four
 * clients have a goal.
 */
const besidePlain: readonly Goal[] = (
  [
    ['list, 1 client', 'list, 1 client', {}],
    ['list, 4 clients', 'list, 4 clients', { times: 0.5 }],
    ['list gzip, 1 client', 'list with gzip, 1 client', {}],
    ['list gzip, 4 clients', 'list with gzip, 4 clients', { times: 0.5 }],
  ] as const
).map(([row, work, share]) => ({
  work: `${work}, in turns with plain node:http that writes the same bytes`,
  row: `${row} of 10,000, in turns with node:http`,
  unit: 'lists/s',
  bound: 'at least',
  baseline: { is: 'row', row: `${row} of 10,000, node:http with the same bytes`, shown: 'node:http', ...share },
  on: BOTH,
  part: 'baseline',
  objects: TEN_THOUSAND,
}));

const rates: readonly Goal[] = (
  [
    ['get', 'get consistent, 16 clients', undefined, 'get, consistent, 16 clients', '/s', 'at least', peer(4400, 2.5)],
    ['get', 'get consistent, 16 clients', 'cpu', 'get, consistent: processor time of the server', 'ms', 'at most', peer(0.26, 0.4)],
    ['get', 'get resourceVersion=0, 16 clients', undefined, 'get, resourceVersion=0, 16 clients', '/s', 'at least', peer(8000, 1.3)],
    ['create', 'create, 16 clients', undefined, 'create, 16 clients', '/s', 'at least', peer(1770, 1.2)],
    ['get-put', 'get + put, 8 clients', undefined, 'get and put, 8 clients', 'pairs/s', 'at least', peer(810, 2)],
    ['patch', 'merge patch, 8 clients', undefined, 'merge patch, 8 clients', '/s', 'at least', peer(840, 2)],
  ] as const
).map(([part, row, figure, work, unit, atBound, baseline]) => ({
  work,
  row,
  ...(figure === undefined ? {} : { figure }),
  unit,
  bound: atBound,
  baseline,
  on: BOTH,
  part,
  objects: TEN_THOUSAND,
}));

/** A plain client of etcd does nothing but read and write bytes: it is no goal, but says what a server costs. */
const besideEtcd: readonly Goal[] = (
  [
    ['get', 'get consistent, 16 clients', 'get, 16 at a time', 'get, consistent, 16 clients, beside get by the plain etcd client'],
    ['create', 'create, 16 clients', 'put, 16 at a time', 'create, 16 clients, beside put by the plain etcd client'],
    ['list', 'list, 1 client of 10,000', 'range of 10,000', 'list, 1 client, beside range by the plain etcd client'],
  ] as const
).map(([part, row, client, work]) => ({
  work,
  row,
  unit: '/s',
  bound: 'at least',
  baseline: { is: 'row', row: `etcd client: ${client}`, shown: 'etcd client' },
  on: ['etcd'],
  part,
  objects: TEN_THOUSAND,
}));

const fanOut: readonly Goal[] = (
  [
    ['fan-out', '', undefined, '', 'deliveries/s', 'at least', peer(44_000, 1.5)],
    ['fan-out', '', 'p99', ': p99', 'ms', 'at most', peer(69, 1)],
    ['fan-out', '', 'lost', ': lost', '', 'at most', bound(0)],
    ['fan-out', '', 'doubled', ': doubled', '', 'at most', bound(0)],
    ['https', ', HTTPS HTTP/1.1', undefined, '', 'deliveries/s', 'at least', peer(44_000, 1)],
    ['https', ', HTTPS HTTP/1.1', 'lost', ': lost', '', 'at most', bound(0)],
    ['https', ', HTTPS HTTP/2', undefined, '', 'deliveries/s', 'at least', { is: 'peer', times: 1.5 }],
    ['https', ', HTTPS HTTP/2', 'cpu', ': processor time of the server for each', 'ms', 'at most', { is: 'peer', times: 1 / 3 }],
    ['https', ', HTTPS HTTP/2', 'lost', ': lost', '', 'at most', bound(0)],
  ] as const
).map(([part, over, figure, what, unit, atBound, baseline]) => ({
  work: `fan-out to 1,000 watchers${over}${what}`,
  row: `watch fan-out, 1,000 watchers${over}`,
  ...(figure === undefined ? {} : { figure }),
  unit,
  bound: atBound,
  baseline,
  on: BOTH,
  part,
  watchers: WATCHERS,
}));

const memory: readonly Goal[] = (
  [
    ['10,000', TEN_THOUSAND, peer(310, 0.6, { row: 'resident after loading of 10,000' })],
    ['100,000', HUNDRED_THOUSAND, peer(2300, 0.25, { row: 'resident after loading of 100,000' })],
  ] as const
).flatMap(([label, objects, baseline]): readonly Goal[] => {
  const row = { unit: 'MB', bound: 'at most', part: 'memory', objects } as const;
  const afterMixedLoad = `after lists, updates and open pages of ${label}`;
  return [
    { ...row, work: `resident after loading ${label}`, row: `resident after loading of ${label}`, baseline, on: ['etcd'] },
    {
      ...row,
      work: `resident at rest after loading ${label}`,
      row: `resident after loading of ${label}`,
      figure: 'at rest',
      // What the peer holds at rest is a matter of Go's two minutes; memory does not depend on the machine, so its
      // figure in the budget holds.
      baseline: bound(baseline.figure * baseline.times),
      on: ['etcd'],
    },
    {
      ...row,
      work: `anonymous memory after loading ${label}`,
      row: `resident after loading of ${label}`,
      figure: 'anonymous',
      baseline,
      on: ['embedded'],
    },
    {
      ...row,
      work: `live Buffers ${afterMixedLoad}`,
      row: `resident ${afterMixedLoad}`,
      figure: 'live buffers',
      baseline: { is: 'detail', detail: 'json', shown: 'the JSON', times: 1.3, plus: 0 },
      on: BOTH,
    },
    {
      ...row,
      work: `resident ${afterMixedLoad}`,
      row: `resident ${afterMixedLoad}`,
      baseline: { is: 'detail', detail: 'json', shown: 'the JSON', times: 2, plus: 120 },
      on: ['etcd'],
    },
    {
      ...row,
      work: `resident at rest ${afterMixedLoad}`,
      row: `resident ${afterMixedLoad}`,
      figure: 'at rest',
      baseline: { is: 'detail', detail: 'json', shown: 'the JSON', times: 2, plus: 120 },
      on: ['etcd'],
    },
    {
      ...row,
      work: `anonymous memory ${afterMixedLoad}`,
      row: `resident ${afterMixedLoad}`,
      figure: 'anonymous',
      baseline: { is: 'detail', detail: 'json', shown: 'the JSON', times: 2, plus: 120 },
      on: ['embedded'],
    },
  ];
});

const others: readonly Goal[] = [
  {
    work: 'create, 16 clients, everything audited at Metadata',
    row: 'create, 16 clients, audited at Metadata',
    unit: '/s',
    bound: 'at least',
    baseline: { is: 'row', row: 'create, 16 clients, without audit', shown: 'without audit', times: 0.85 },
    on: BOTH,
    part: 'audit',
    objects: TEN_THOUSAND,
  },
  ...(['get, 16 clients', 'list, 1 client', 'watch fan-out, 100 watchers'] as const).map((row): Goal => ({
    work: `${row}, HTTPS, with 1,000 bindings and 200 roles`,
    row: `${row}, RBAC`,
    unit: row.startsWith('list') ? 'lists/s' : row.startsWith('get') ? '/s' : 'deliveries/s',
    bound: 'at least',
    baseline: { is: 'row', row: `${row}, AlwaysAllow`, shown: 'AlwaysAllow', times: 0.95 },
    on: BOTH,
    part: 'access',
    objects: TEN_THOUSAND,
  })),
  {
    work: 'start on an empty store',
    row: 'start-up with 0',
    unit: 'ms',
    bound: 'at most',
    baseline: bound(500),
    on: BOTH,
    part: 'start',
    objects: 0,
  },
  {
    work: 'start on 10,000 objects',
    row: 'start-up with 10,000',
    unit: 'ms',
    bound: 'at most',
    baseline: bound(800),
    on: BOTH,
    part: 'start',
    objects: TEN_THOUSAND,
  },
  {
    work: 'longest tick of the event loop, lists of 100,000 beside 1,000 watchers',
    row: 'longest tick, lists of 100,000 beside 1,000 watchers',
    unit: 'ms',
    bound: 'at most',
    baseline: bound(20),
    on: BOTH,
    part: 'ticks',
    objects: HUNDRED_THOUSAND,
    watchers: WATCHERS,
  },
];

const fairness: readonly Goal[] = ['beside lists of everything', 'beside creates on 100 connections'].map((name) => ({
  work: `get of another user ${name}: p99`,
  row: `get of another user, ${name}`,
  unit: 'ms',
  bound: 'at most',
  baseline: { is: 'row', row: 'get of another user, unloaded', shown: 'unloaded', times: 3 },
  on: BOTH,
  part: 'fairness',
}));

const microbenchmarks: readonly Goal[] = (
  [
    ['store', 'embedded store alone: durable commits, 16 writers', 'store: durable commits, 16 writers', 'commits/s', 'at least', 10_000],
    ['store', 'embedded store alone: range of 100,000', 'store: range of 100000, again', 'ms', 'at most', 500],
    ['store', 'embedded store alone: reopen', /^store: reopen with /, 'ms', 'at most', 1000],
    ['validate', 'defaults, schema and rules of a CronJob', /^validate: validation/, 'µs', 'at most', 100],
    ['config', 'check of a configuration of 10,000 lines', 'config: check of 10,000 lines, lists and comments', 'ms', 'at most', 500],
    ['config', 'the same in JSON', 'config: check of 10,000 lines, JSON', 'ms', 'at most', 500],
    [
      'config',
      'coxswain config check of 10,000 lines, whole process',
      /^config: config check .* lists and comments$/,
      'ms',
      'at most',
      500,
    ],
  ] as const
).map(([part, work, row, unit, atBound, figure]) => ({
  work,
  row,
  unit,
  bound: atBound,
  baseline: bound(figure),
  on: ['microbenchmark'],
  part,
  ...(part === 'store' ? { objects: HUNDRED_THOUSAND } : {}),
}));

export const BUDGET: readonly Goal[] = [
  ...lists,
  ...besidePlain,
  ...rates,
  ...besideEtcd,
  ...fanOut,
  ...memory,
  ...others,
  ...fairness,
  ...microbenchmarks,
];

/** Whether a goal compares what is measured there with the peer. */
export const isComparedWithPeer = (part: RowName, objects: number, watchers: number | undefined): boolean =>
  BUDGET.some(
    (goal) =>
      goal.part === part &&
      goal.baseline.is === 'peer' &&
      (goal.objects === undefined || goal.objects === objects) &&
      goal.watchers === watchers,
  );
