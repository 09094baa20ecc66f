/** Requests per second on single objects. */
import type { Connection } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import { createObjects, type Objects } from './objects.ts';
import type { Report } from './report.ts';
import { SEQUENCE_DIGITS, SEQUENCE_MARKER, bodyOf, get, pathOf, sequenceText, withBody } from './sample-object.ts';

export async function createRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  for (const clients of [1, 16]) {
    const { perSecond, details } = await createObjects(objects, clients, seconds);
    report.add({
      target: objects.target.name,
      name: `create, ${clients} client${clients === 1 ? '' : 's'}`,
      value: perSecond,
      unit: '/s',
      details,
    });
  }
}

export async function getRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  for (const [name, query] of [
    ['get consistent, 16 clients', ''],
    ['get resourceVersion=0, 16 clients', '?resourceVersion=0'],
  ] as const) {
    let index = 0;
    const { perSecond, details } = await generateLoad({
      target: objects.target,
      clients: 16,
      seconds,
      work: async (connection) => {
        index = (index + 7919) % objects.count;
        return (await connection.send(get(pathOf(index) + query))).code === 200;
      },
    });
    report.add({ target: objects.target.name, name: name + objects.over, value: perSecond, unit: '/s', details });
  }
}

/** Reads an object, changes nine digits of it in place, and sends it back with the resourceVersion it came with. */
export async function getAndPut(connection: Connection, path: string, sequence: number): Promise<boolean> {
  const read = await connection.send(get(path), true);
  const text = read.body.toString('latin1');
  const at = text.indexOf(SEQUENCE_MARKER) + SEQUENCE_MARKER.length;
  if (read.code !== 200 || at < SEQUENCE_MARKER.length) return false;
  const body = text.slice(0, at) + sequenceText(sequence) + text.slice(at + SEQUENCE_DIGITS);
  return (await connection.send(withBody('PUT', path, body))).code === 200;
}

export async function getPutRow(objects: Objects, report: Report, seconds: number): Promise<void> {
  const clients = 8;
  let sequence = 0;
  const { perSecond, details } = await generateLoad({
    target: objects.target,
    clients,
    seconds,
    // Each client has objects of its own: no conflicts.
    work: (connection, client) =>
      getAndPut(connection, pathOf((++sequence * clients + client) % (objects.count - (objects.count % clients))), sequence),
  });
  report.add({ target: objects.target.name, name: `get + put, ${clients} clients`, value: perSecond, unit: 'pairs/s', details });
}

/**
 * What it costs to change the nine digits of an object in each way: the whole of it by PUT (no read before, no
 * resourceVersion), a merge patch of the annotation, an apply of the whole. The three take turns on the same objects,
 * so that they can be compared with each other.
 */
export async function patchRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const clients = 8;
  const { target, bulkBytes } = objects;
  const count = objects.count - (objects.count % clients);
  let sequence = 0;
  const annotations = (next: number) => `{"metadata":{"annotations":{${SEQUENCE_MARKER}${sequenceText(next)}"}}}`;
  const ways = {
    'put alone': (index: number, next: number) => withBody('PUT', pathOf(index), bodyOf(index, bulkBytes, next)),
    'merge patch': (index: number, next: number) => withBody('PATCH', pathOf(index), annotations(next), 'application/merge-patch+json'),
    'strategic merge patch': (index: number, next: number) =>
      withBody('PATCH', pathOf(index), annotations(next), 'application/strategic-merge-patch+json'),
    apply: (index: number, next: number) =>
      withBody('PATCH', `${pathOf(index)}?fieldManager=bench&force=true`, bodyOf(index, bulkBytes, next), 'application/apply-patch+yaml'),
  };
  // The first apply of an object takes ownership of it; what is measured is what comes after.
  for (const measured of [false, true]) {
    for (const [name, request] of Object.entries(ways)) {
      const { perSecond, details } = await generateLoad({
        target,
        clients,
        seconds: measured ? seconds : seconds / 4,
        // Each client has objects of its own: no conflicts.
        work: async (connection, client) =>
          (await connection.send(request((++sequence * clients + client) % Math.min(count, clients * 16), sequence))).code === 200,
      });
      if (measured) report.add({ target: target.name, name: `${name}, ${clients} clients`, value: perSecond, unit: '/s', details });
    }
  }
}
