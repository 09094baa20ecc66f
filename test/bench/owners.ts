/**
 * The graph of the garbage collector by itself: what it takes to read the references of an object, and what a node and
 * an edge weigh.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DependencyGraph } from '../../pkg/controllers/garbagecollector/graph.ts';
import { readOwnership, type Ownership } from '../../pkg/controllers/garbagecollector/ownership.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { median } from './report.ts';

export interface OwnersRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'µs' | 'ns' | 'bytes';
}

const ROUNDS = 7;
const READS = 50_000;
const DEPENDENTS = 100_000;
const SAMPLE = new URL('../../pkg/apis/batch/v1/cronjobs/testdata/realistic.json', import.meta.url);

interface SampleObject {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** As a list has it: an item whose metadata come first. */
function itemOf(ownerReferences: readonly object[]): Buffer {
  const { metadata, ...rest } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as SampleObject;
  const { managedFields, resourceVersion, ...others } = metadata;
  const references = ownerReferences.length === 0 ? {} : { ownerReferences };
  return Buffer.from(
    JSON.stringify({ metadata: { resourceVersion: resourceVersion ?? '1', ...others, ...references, managedFields }, ...rest }),
  );
}

function microsecondsOf(read: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (let index = 0; index < READS; index++) read();
    return ((performance.now() - begin) * 1000) / READS;
  });
  return median(rounds.slice(2));
}

const reference = (uid: string) => ({ apiVersion: 'batch/v1', kind: 'CronJob', name: `owner-${uid}`, uid, blockOwnerDeletion: true });
const NOTHING = (): undefined => undefined;

interface Weight {
  /** Of a dependent. */
  readonly bytes: number;
  readonly nanoseconds: number;
}

/**
 * What a dependent costs that has `edges` owners. `fanOut`: dependents of each owner. The uids are those of the cache,
 * which has them anyway.
 */
async function weigh(fanOut: number, edges: number): Promise<Weight> {
  const uids = Array.from({ length: DEPENDENTS }, () => randomUUID() as string);
  const owners = Array.from({ length: (DEPENDENTS / fanOut) * edges }, () => randomUUID() as string);
  const cached = new Map(owners.map((uid) => [`owner-${uid}`, uid]));
  const names = uids.map((uid) => `dependent-${uid}`);
  const graph = new DependencyGraph<string>({
    locate: ({ name }, namespace) => ({ resource: 'cronjobs', namespace, name }),
    uidAt: ({ name }) => cached.get(name),
    listener: { attemptToDelete: NOTHING, attemptToDeleteDependents: NOTHING, attemptToOrphan: NOTHING, ownersElsewhere: NOTHING },
  });
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const begin = performance.now();
  for (const [index, uid] of uids.entries()) {
    const first = Math.floor(index / fanOut) * edges;
    // A new text each time, as it comes from JSON.
    const own = owners.slice(first, first + edges).map((owner) => Buffer.from(owner).toString('latin1'));
    const now: Ownership = { ownerReferences: own.map(reference), finalizers: [], isDeleting: false };
    graph.observe({ resource: 'cronjobs', namespace: 'n', name: names[index] ?? '', uid }, now, NOTHING);
  }
  const ms = performance.now() - begin;
  await collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  if (graph.size !== DEPENDENTS + owners.length) throw new Error(`${graph.size} nodes`);
  return { bytes: bytes / DEPENDENTS, nanoseconds: (ms * 1e6) / DEPENDENTS };
}

async function graphRows(fanOut: number): Promise<readonly OwnersRow[]> {
  const each = `of an owner of ${fanOut}`;
  const [one, two] = [await weigh(fanOut, 1), await weigh(fanOut, 2)];
  return [
    { name: `a dependent ${each}, with its edge and its share of the owner`, value: one.bytes, unit: 'bytes' },
    { name: 'a further edge, with its share of its owner', value: two.bytes - one.bytes, unit: 'bytes' },
    { name: `observe a dependent ${each}`, value: one.nanoseconds, unit: 'ns' },
  ];
}

export async function benchOwners(): Promise<readonly OwnersRow[]> {
  const [free, owned] = [itemOf([]), itemOf([reference(randomUUID())])];
  return [
    { name: `read an object of ${free.byteLength} bytes without owners`, value: microsecondsOf(() => readOwnership(free)), unit: 'µs' },
    { name: 'the same with one', value: microsecondsOf(() => readOwnership(owned)), unit: 'µs' },
    { name: 'JSON.parse of it', value: microsecondsOf(() => JSON.parse(owned.toString())), unit: 'µs' },
    ...(await graphRows(1)),
    ...(await graphRows(10)),
    ...(await graphRows(1000)),
  ];
}

if (import.meta.main) console.table(await benchOwners());
