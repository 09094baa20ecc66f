/** Lists, pages and initial events over the whole collection, at the number of objects there are. */
import { gunzipSync } from 'node:zlib';
import { END_BYTES, openRaw, withConnections, type Connection } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { COLLECTION, NAMESPACES, SHARDS, get, namespacePath } from './sample-object.ts';

const PAGE = 500;
const CONTINUE = '"continue":"';

interface ListRow {
  readonly name: string;
  readonly path: string;
  readonly accept?: string;
  readonly headers?: string;
  readonly clients: number;
  readonly expected: (count: number) => number;
}

const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const GZIP = 'Accept-Encoding: gzip\r\n';

const LISTS: readonly ListRow[] = [
  { name: 'list, 1 client', path: COLLECTION, clients: 1, expected: (count) => count },
  { name: 'list, 4 clients', path: COLLECTION, clients: 4, expected: (count) => count },
  { name: 'list gzip, 1 client', path: COLLECTION, headers: GZIP, clients: 1, expected: (count) => count },
  { name: 'list gzip, 4 clients', path: COLLECTION, headers: GZIP, clients: 4, expected: (count) => count },
  { name: 'list as Table, 1 client', path: COLLECTION, accept: AS_TABLE, clients: 1, expected: (count) => count },
  { name: 'list as Table gzip, 1 client', path: COLLECTION, accept: AS_TABLE, headers: GZIP, clients: 1, expected: (count) => count },
  {
    name: 'list by namespace (10 %)',
    path: namespacePath('bench-3'),
    clients: 1,
    expected: (count) => Math.floor((count - 3 + NAMESPACES - 1) / NAMESPACES),
  },
  {
    name: 'list by selector (1 %)',
    path: `${COLLECTION}?labelSelector=shard%3Ds7`,
    clients: 1,
    expected: (count) => Math.floor((count - 7 + SHARDS - 1) / SHARDS),
  },
];

export async function listRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target } = objects;
  const at = ` of ${objects.label}`;
  await timed(LISTS, objects, report, seconds);
  const walk = await generateLoad({ target, clients: 1, seconds, work: (connection) => walkPages(connection, objects.count) });
  const point = (series: string) => ({ series, over: 'objects', x: objects.count }) as const;
  report.add({
    target: target.name,
    name: `pages of ${PAGE}${at}`,
    value: walk.perSecond,
    unit: 'walks/s',
    details: walk.details,
    at: point('pages of 500'),
  });
  const initial = await generateLoad({ target, clients: 1, seconds, work: () => initialEvents(objects) });
  report.add({
    target: target.name,
    name: `initial events${at}`,
    value: initial.perSecond,
    unit: '/s',
    details: initial.details,
    at: point('initial events'),
  });
}

/** The whole collection once, over whatever connection `objects` names. */
export const wholeListRow = (objects: Objects, report: Report, seconds: number): Promise<void> =>
  timed(LISTS.slice(0, 1), objects, report, seconds);

async function timed(rows: readonly ListRow[], objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target } = objects;
  for (const { name, path, accept, headers, clients, expected } of rows) {
    const request = get(path, headers, accept);
    const label = `${name} of ${objects.label}${objects.over}`;
    const megabytes = await checked(objects, request, expected(objects.count), label);
    const { perSecond, details } = await generateLoad({
      target,
      clients,
      seconds,
      work: async (connection) => (await connection.send(request)).code === 200,
    });
    report.add({
      target: target.name,
      name: label,
      value: perSecond,
      unit: '/s',
      details: { ...details, mb: megabytes },
      ...(objects.over === '' ? { at: { series: name, over: 'objects', x: objects.count } } : {}),
    });
  }
}

/**
 * Sends the request once and looks at what comes back, so that what is timed is known to be whole. Its size in MB, as
 * sent.
 */
async function checked({ target }: Objects, request: string, expected: number, what: string): Promise<number> {
  const [reply] = await withConnections(target.address(), 1, (connection) => connection.send(request, true));
  if (reply?.code !== 200) throw new Error(`${what}: ${reply?.code ?? 0} ${reply?.body.toString('utf8', 0, 500) ?? ''}`);
  const bytes = reply.body[0] === 0x1f ? gunzipSync(reply.body) : reply.body;
  const found = objectsIn(bytes);
  if (found !== expected) throw new Error(`${what}: ${found} objects instead of ${expected}`);
  return reply.bytes / 1e6;
}

const UID = '"uid":"';

/** Objects in a list as JSON, whose bytes may be longer than the longest string. */
export function objectsIn(list: Buffer): number {
  let count = 0;
  for (let at = list.indexOf(UID); at >= 0; at = list.indexOf(UID, at + UID.length)) count++;
  return count;
}

async function walkPages(connection: Connection, expected: number): Promise<boolean> {
  let pages = 0;
  for (let token = ''; ;) {
    const reply = await connection.sendForEnds(
      get(`${COLLECTION}?limit=${PAGE}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`),
    );
    if (reply.code !== 200) return false;
    pages++;
    token = continueIn(reply.body.toString('latin1', 0, END_BYTES)) || continueIn(reply.body.subarray(-END_BYTES).toString('latin1'));
    if (token === '') return pages === Math.max(1, Math.ceil(expected / PAGE));
  }
}

function continueIn(text: string): string {
  const at = text.indexOf(CONTINUE);
  return at < 0 ? '' : text.slice(at + CONTINUE.length, text.indexOf('"', at + CONTINUE.length));
}

const INITIAL_EVENTS = get(`${COLLECTION}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`);
const INITIAL_EVENTS_END = 'initial-events-end';
/** A bookmark is shorter. */
const TAIL_BYTES = 1024;
const LF = 10;

/** Opens a watch list and reads until its bookmark; true when as many events came before it as there are objects. */
function initialEvents({ target, count }: Objects): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let events = 0;
    let tail = '';
    let code = 0;
    const connection = openRaw(
      target.address(),
      {
        head: (answered) => (code = answered),
        body: (bytes, start, end) => {
          for (let at = bytes.indexOf(LF, start); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) events++;
          // Nothing is written meanwhile: the bookmark is the last thing that comes.
          tail = (tail + bytes.toString('latin1', Math.max(start, end - TAIL_BYTES), end)).slice(-TAIL_BYTES);
          if (!tail.endsWith('\n') || !tail.includes(INITIAL_EVENTS_END)) return;
          resolve(events === count + 1);
          void connection.then((raw) => raw.destroy());
        },
        end: () => reject(new Error(`a watch list ended before its bookmark (${code}): ${tail}`)),
      },
      (error) => reject(error ?? new Error('a watch list was cut')),
    );
    connection.then((raw) => raw.write(INITIAL_EVENTS), reject);
  });
}
