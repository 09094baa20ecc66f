/** The objects on the measured server: how many there are, and how they get there. */
import { withConnections, type Connection } from './connection.ts';
import { generateLoad, type LoadResult } from './load-generator.ts';
import { resident, type Resident } from './process-figures.ts';
import { OBJECT_BYTES, bodyOf, get, namespaceOf, namespacePath, pathOf, remove, withBody } from './sample-object.ts';
import type { Target } from './target.ts';

export interface Objects {
  readonly target: Target;
  readonly bulkBytes: number;
  /** Objects 0 to count-1 exist. */
  count: number;
  /** How many were there when they had been loaded, for the names of rows. */
  label: string;
  /** What the server held when the last of them had just been created or changed; absent: nobody knows. */
  atOnce: Resident | undefined;
  /** Ends the names of rows: `, HTTPS HTTP/2`; empty for plain HTTP. */
  readonly over: string;
}

/** Finds how much padding makes a served object 3,100 bytes; starts with an empty collection. */
export async function prepareObjects(target: Target): Promise<Objects> {
  const [bulkBytes = 0] = await withConnections(target.address(), 1, async (connection) => {
    await expectCode(connection, withBody('POST', namespacePath(namespaceOf(0)), bodyOf(0, 0)), 201);
    const { bytes } = await connection.send(get(pathOf(0)));
    await expectCode(connection, remove(pathOf(0)), 200);
    if (bytes > OBJECT_BYTES) throw new Error(`the object is served with ${bytes} bytes, without any padding: more than ${OBJECT_BYTES}`);
    return OBJECT_BYTES - bytes;
  });
  return { target, bulkBytes, count: 0, label: '0', atOnce: undefined, over: '' };
}

async function expectCode(connection: Connection, request: string, code: number): Promise<void> {
  const reply = await connection.send(request, true);
  if (reply.code !== code)
    throw new Error(`${request.slice(0, request.indexOf('\r'))}: ${reply.code} ${reply.body.toString('utf8', 0, 500)}`);
}

/** Creates further objects with `clients` clients, for a time or up to a number, whichever comes first. */
export async function createObjects(objects: Objects, clients: number, seconds: number, upTo = Infinity): Promise<LoadResult> {
  let next = objects.count;
  try {
    return await generateLoad({
      target: objects.target,
      clients,
      seconds,
      enough: () => next >= upTo,
      work: async (connection) => {
        const index = next++;
        await expectCode(connection, withBody('POST', namespacePath(namespaceOf(index)), bodyOf(index, objects.bulkBytes)), 201);
        return true;
      },
    });
  } finally {
    objects.count = next;
    objects.atOnce = objects.target.own === undefined ? undefined : resident(objects.target.own.pid());
  }
}
