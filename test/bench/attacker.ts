/**
 * A client that is too busy, on a thread of its own so that it does not slow the one that is measured: it lists the
 * whole collection without a pause, or sends creates on a hundred connections.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { withConnections, type Address } from './connection.ts';
import { bodyOf, COLLECTION, get, namespaceOf, namespacePath, withBody } from './sample-object.ts';

export interface Attack {
  readonly address: Address;
  readonly kind: 'lists' | 'creates';
  /** Of the first object that is created. */
  readonly firstIndex: number;
  readonly bulkBytes: number;
}

/** How many requests were answered, and how many of them were refused. */
export interface AttackResult {
  readonly done: number;
  readonly refused: number;
}

const CREATES = 10_000;
const CREATE_CLIENTS = 100;
const LISTERS = 1;

async function attack({ address, kind, firstIndex, bulkBytes }: Attack): Promise<AttackResult> {
  let stopped = false;
  parentPort?.once('message', () => (stopped = true));
  let sent = 0;
  let answered = 0;
  let refused = 0;
  const isCreating = kind === 'creates';
  await withConnections(address, isCreating ? CREATE_CLIENTS : LISTERS, async (connection) => {
    while (!stopped && (!isCreating || sent < CREATES)) {
      const index = firstIndex + sent++;
      const request = isCreating ? withBody('POST', namespacePath(namespaceOf(index)), bodyOf(index, bulkBytes)) : get(COLLECTION);
      const { code } = await connection.send(request);
      if (code >= 300) refused++;
      if (answered++ === 0) parentPort?.postMessage('begun');
    }
  });
  return { done: answered, refused };
}

// On a network it would have a processor of its own; here it must not take that of the server or of the other client.
setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage(await attack(workerData as Attack));
parentPort?.close();
