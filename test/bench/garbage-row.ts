/** How fast dependents of a deleted owner go, and what another client notices of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { withConnections, type Connection } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { bodyOf, get, namespaceOf, namespacePath, pathOf, remove, withBody } from './sample-object.ts';

const DEPENDENTS = 3000;
const LOAD_CLIENTS = 32;
const COLLECT_MS = 60_000;
const POLL_MS = 50;
/** Far above the objects of other rows. */
const FIRST_INDEX = 9_000_000;

/** Of the dependents: no other object is labelled so. */
const LABEL = 'garbage';

function ownedBody(index: number, bulkBytes: number, owner: { readonly name: string; readonly uid: string } | undefined): string {
  const references =
    owner === undefined
      ? ''
      : `,"ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"${owner.name}","uid":"${owner.uid}","blockOwnerDeletion":true}]`;
  return bodyOf(FIRST_INDEX, bulkBytes)
    .replace(/"name":"job-\d+"/, `"name":"garbage-${index}"${references}`)
    .replace('"app":"report"', `"app":"${owner === undefined ? 'owner' : LABEL}"`);
}

/** One client reads another object all the time: first alone, then while the dependents are deleted. */
export async function garbageRow(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target, bulkBytes } = objects;
  const namespace = namespaceOf(FIRST_INDEX);
  const collection = namespacePath(namespace);
  const owner = await create(objects, collection, ownedBody(0, bulkBytes, undefined));
  let next = 0;
  await generateLoad({
    target,
    clients: LOAD_CLIENTS,
    seconds: COLLECT_MS / 1000,
    enough: () => next >= DEPENDENTS,
    work: async (connection) => {
      const index = ++next;
      if (index > DEPENDENTS) return true;
      const { code } = await connection.send(withBody('POST', collection, ownedBody(index, bulkBytes, owner)));
      if (code !== 201) throw new Error(`a dependent: ${code}`);
      return true;
    },
  });
  const read = (enough: () => boolean, forSeconds: number) =>
    generateLoad({
      target,
      clients: 1,
      seconds: forSeconds,
      enough,
      work: async (connection) => (await connection.send(get(pathOf(0)))).code === 200,
    });
  const alone = await read(() => false, seconds);
  let isOver = false;
  const reading = read(() => isOver, COLLECT_MS / 1000);
  const begun = performance.now();
  await withConnections(target.address(), 1, async (connection) => {
    await connection.send(remove(`${collection}/${owner.name}`));
    while (!(await isEmpty(connection, collection))) {
      if (performance.now() - begun > COLLECT_MS) throw new Error(`dependents were left after ${COLLECT_MS} ms`);
      await pause(POLL_MS);
    }
  });
  const ms = performance.now() - begun;
  isOver = true;
  const meanwhile = await reading;
  report.add({
    target: target.name,
    name: 'collect dependents of one owner',
    value: DEPENDENTS / (ms / 1000),
    unit: '/s',
    details: {
      'get p50': meanwhile.details['p50'] ?? NaN,
      'get p99': meanwhile.details['p99'] ?? NaN,
      'alone p50': alone.details['p50'] ?? NaN,
      'alone p99': alone.details['p99'] ?? NaN,
    },
  });
}

async function create({ target }: Objects, collection: string, body: string): Promise<{ readonly name: string; readonly uid: string }> {
  const [created] = await withConnections(target.address(), 1, (connection) => connection.send(withBody('POST', collection, body), true));
  if (created?.code !== 201) throw new Error(`the owner: ${created?.code ?? 0}`);
  return (JSON.parse(created.body.toString()) as { readonly metadata: { readonly name: string; readonly uid: string } }).metadata;
}

async function isEmpty(connection: Connection, collection: string): Promise<boolean> {
  const { body } = await connection.send(get(`${collection}?labelSelector=app%3D${LABEL}&limit=1`), true);
  return (JSON.parse(body.toString()) as { readonly items: readonly unknown[] }).items.length === 0;
}
