/** The budget beside the server of Kubernetes: HTTPS, HTTP/2, a bearer token, RBAC and default admission there. */
import type { Goal, Store } from './budget.ts';

const OBJECTS = 10_000;
const TLS_SHOWN = 'node:http2';

type Beside = readonly [part: Goal['part'], row: string, work: string, unit: string, times: number];

const goal = ([part, row, work, unit, times]: Beside, on: readonly Store[]): Goal => ({
  work,
  row,
  unit,
  bound: 'at least',
  baseline: { is: 'peer', times, shown: 'kube-apiserver' },
  on,
  part,
  objects: OBJECTS,
});

const GET = ['get', 'get consistent, 16 clients', 'get, consistent, 16 clients', '/s'] as const;
const CREATE = ['create', 'create, 16 clients', 'create, 16 clients', '/s'] as const;
const GET_PUT = ['get-put', 'get + put, 8 clients', 'get and put, 8 clients', 'pairs/s'] as const;

const native: readonly Beside[] = [
  ['list', 'list, 1 client of 10,000', 'list, 1 client', 'lists/s', 20],
  ['list', 'list, 4 clients of 10,000', 'list, 4 clients', 'lists/s', 10],
  ['list', 'list gzip, 1 client of 10,000', 'list with gzip, 1 client', 'lists/s', 120],
  ['list', 'pages of 500 of 10,000', 'walk over all pages of 500', 'walks/s', 12],
  ['list', 'list by selector (1 %) of 10,000', 'list, label selector that matches 1 %', 'lists/s', 9],
  ['list', 'initial events of 10,000', 'watch list: initial events until the bookmark', '/s', 9],
  [...GET, 3.5],
  [...CREATE, 2],
  [...GET_PUT, 2.2],
  ['patch', 'merge patch, 8 clients', 'merge patch, 8 clients', '/s', 2.5],
];
const etcd3: readonly Beside[] = [
  [...CREATE, 1.4],
  [...GET, 2.5],
  [...GET_PUT, 1.6],
];

/** Both ends encrypt. A plain server of Node.js shows the rate that encryption leaves. */
const besidePlain: readonly Goal[] = [1, 4].flatMap((clients) =>
  ['list', 'list gzip'].map((name) => {
    const row = `${name}, ${clients} client${clients === 1 ? '' : 's'} of 10,000`;
    return {
      work: `${row}, beside ${TLS_SHOWN} that writes the same bytes`,
      row: `${row}, in turns with ${TLS_SHOWN}`,
      unit: 'lists/s',
      bound: 'at least',
      baseline: { is: 'row', row: `${row}, ${TLS_SHOWN} with the same bytes`, shown: TLS_SHOWN },
      on: ['etcd'],
      part: 'baseline',
      objects: OBJECTS,
    } satisfies Goal;
  }),
);

export const REFERENCE_BUDGET: readonly Goal[] = [
  ...native.map((each) => goal(each, ['etcd'])),
  {
    ...goal(['fan-out', 'watch fan-out, 1,000 watchers', 'fan-out to 1,000 watchers', 'deliveries/s', 3.5], ['etcd']),
    watchers: 1000,
  },
  { ...goal(['start', 'start-up with 10,000', 'start on 10,000 objects', 'ms', 1 / 4], ['etcd']), bound: 'at most' },
  {
    ...goal(['memory', 'resident after loading of 10,000', 'resident after loading 10,000', 'MB', 1 / 3], ['etcd']),
    bound: 'at most',
  },
  ...etcd3.map((each) => goal(each, ['etcd3'])),
  ...besidePlain,
];
