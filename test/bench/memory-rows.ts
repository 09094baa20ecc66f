/** What the server holds after loading, and after lists, updates and pages left open. */
import { withConnections } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import type { Objects } from './objects.ts';
import { longestHoldUpMs, resident } from './process-figures.ts';
import { getAndPut } from './rate-rows.ts';
import type { Report } from './report.ts';
import { COLLECTION, OBJECT_BYTES, get, pathOf } from './sample-object.ts';

const UPDATES = 10_000;
const OPEN_PAGES = 16;
const UPDATE_CLIENTS = 16;
/**
 * The library of the embedded store reserves a Buffer of this size to read into, before it opens anything, and touches
 * as much of it as the largest record needs: addresses, which no object costs. The system counts them neither.
 */
const STORE_READ_BUFFER_BYTES = 16 * 1024 * 1024;

/**
 * What the server held when the work before had just ended; and at rest, after its collectors of garbage had time to
 * see that nothing is going on. Live memory is asked for after that, since asking collects.
 */
export async function memoryRow({ target, count, label, atOnce }: Objects, report: Report, when: string): Promise<void> {
  const atRest = target.own === undefined ? undefined : resident(target.own.pid());
  if (target.own === undefined || atRest === undefined || atOnce === undefined) return;
  const live = await target.own.liveMemory?.();
  const reserved = target.own.etcd === undefined ? STORE_READ_BUFFER_BYTES : 0;
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  report.add({
    target: target.name,
    name: `resident ${when} of ${label}`,
    value: atOnce.residentMb,
    unit: 'MB',
    details: {
      anonymous: atOnce.anonymousMb,
      'at rest': atRest.residentMb,
      'anonymous at rest': atRest.anonymousMb,
      ...(live === undefined ? {} : { 'live buffers': megabytes(live.buffers - reserved), 'live heap': megabytes(live.heap) }),
      json: megabytes(count * OBJECT_BYTES),
    },
    at: { series: `resident ${when}`, over: 'objects', x: count },
  });
}

/** Resets the server's figure, so that the next row tells of what lies between. */
export async function holdUpRow({ target }: Objects, report: Report, during?: string): Promise<void> {
  const longest = longestHoldUpMs(await target.metrics());
  if (longest !== undefined && during !== undefined)
    report.add({
      target: target.name,
      name: `event loop held up during ${during}`,
      value: longest,
      unit: 'ms',
      details: {},
      isWorst: true,
    });
}

/**
 * A plain and a gzip list of everything, 10,000 updates spread over all objects, 16 paged lists begun at different
 * states and left.
 */
export async function runMixedLoad(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target, count } = objects;
  if (target.own === undefined) return;
  await withConnections(target.address(), 1, async (connection) => {
    await connection.send(get(COLLECTION));
    await connection.send(get(COLLECTION, 'Accept-Encoding: gzip\r\n'));
  });
  let updates = 0;
  let index = 0;
  for (let page = 0; page < OPEN_PAGES; page++) {
    await withConnections(target.address(), 1, (connection) => connection.send(get(`${COLLECTION}?limit=500`)));
    const share = Math.ceil((UPDATES * (page + 1)) / OPEN_PAGES);
    const { done } = await generateLoad({
      target,
      clients: UPDATE_CLIENTS,
      seconds: seconds / OPEN_PAGES,
      enough: () => updates >= share,
      work: (connection) => {
        updates++;
        index = (index + 7919) % count;
        return getAndPut(connection, pathOf(index), updates);
      },
    });
    if (done === 0) break;
  }
  if (updates < UPDATES) report.note(`${target.name}: only ${updates} of ${UPDATES} updates before the memory row, for lack of time`);
  objects.atOnce = resident(target.own.pid());
}
