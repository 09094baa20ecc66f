/**
 * Owners with dependents, some of which are deleted while things go wrong. In the end nothing may be left that has no
 * owner, and nothing may be missing that has one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiObject, OwnerReference } from '../support/api-object.ts';
import type { Answer, Api } from '../support/api.ts';
import { collectionPath, CONTROLLER_REVISION, itemPath } from '../support/kinds.ts';
import { waitFor } from '../support/wait.ts';
import type { ClientOptions, Server } from './clients.ts';

const NAMESPACE = 'chaos-owners';
const COLLECTION = collectionPath(CONTROLLER_REVISION, NAMESPACE);
const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;
/** A family after the other, with so much time between them. */
const PAUSE_MS = 100;
const AGAIN_MS = 50;
/** Until another server leads, and what failed meanwhile is tried again. */
const SETTLE_MS = 90_000;

export interface OwnersSeen {
  /** Objects that must be there in the end, by name. */
  readonly kept: Set<string>;
  /** How many owners were deleted. */
  deleted: number;
}

export const emptyOwners = (): OwnersSeen => ({ kept: new Set(), deleted: 0 });

const pathOf = (name: string): string => itemPath(CONTROLLER_REVISION, NAMESPACE, name);
const answered = (answer: Promise<Answer>): Promise<Answer | undefined> => answer.catch(() => undefined);

const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: ApiObject, blockOwnerDeletion: boolean): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  blockOwnerDeletion,
});

/** Undefined when nobody says whether it was created. */
async function create(api: Api, name: string, ownerReferences: readonly OwnerReference[] = []): Promise<ApiObject | undefined> {
  const sample = CONTROLLER_REVISION.sample(name, NAMESPACE);
  const answer = await answered(api.post(COLLECTION, { ...sample, metadata: { ...sample.metadata, ownerReferences } }));
  return answer?.code === 201 ? answer.object() : undefined;
}

/** Founds families, and deletes most of their heads, until it is stopped. */
export async function own({ servers, random, stop }: ClientOptions, seen: OwnersSeen): Promise<void> {
  const ask = () => servers[Math.floor(random() * servers.length)]?.api;
  let keeper: ApiObject | undefined;
  for (let family = 0; !stop.aborted; family++) {
    await pause(PAUSE_MS);
    const api = ask();
    if (api === undefined) continue;
    keeper ??= await create(api, `keeper-${family}`);
    const head = await create(api, `head-${family}`);
    if (keeper === undefined || head === undefined) continue;
    seen.kept.add(keeper.metadata.name);
    const blocks = random() < 0.5;
    const only = await create(api, `only-${family}`, [referenceTo(head, blocks)]);
    const shared = await create(api, `shared-${family}`, [referenceTo(head, blocks), referenceTo(keeper, false)]);
    const other = await create(api, `other-${family}`, [referenceTo(keeper, true)]);
    for (const object of [shared, other]) if (object !== undefined) seen.kept.add(object.metadata.name);
    if (random() < 0.2) {
      for (const object of [head, only]) if (object !== undefined) seen.kept.add(object.metadata.name);
      continue;
    }
    const propagationPolicy = POLICIES[Math.floor(random() * POLICIES.length)];
    const answer = await answered(api.delete(pathOf(head.metadata.name), { propagationPolicy }));
    // What is not known to be deleted may be there or not, and so may its dependent.
    if (answer?.code !== 200) continue;
    seen.deleted++;
    if (propagationPolicy === 'Orphan' && only !== undefined) seen.kept.add(only.metadata.name);
  }
}

/** A sentence for each object that is left over or missing, when there was time enough to collect. */
export async function findOwnerViolations(servers: readonly Server[], seen: OwnersSeen): Promise<readonly string[]> {
  let objects: readonly ApiObject[] = [];
  const isSettled = async () => {
    for (const { api } of servers) {
      const answer = await answered(api.get(COLLECTION));
      if (answer?.code !== 200) continue;
      objects = answer.list().items;
      return leftOver(objects).length === 0;
    }
    await pause(AGAIN_MS);
    return false;
  };
  // What is left over is told, not thrown.
  await waitFor(isSettled, { what: 'the dependents to go', timeoutMs: SETTLE_MS, everyMs: 250 }).catch(() => undefined);
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  return [
    ...leftOver(objects),
    ...[...seen.kept].filter((name) => !names.has(name)).map((name) => `${name} was deleted, and had an owner or none`),
  ];
}

function leftOver(objects: readonly ApiObject[]): readonly string[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return objects.flatMap(({ metadata: { name, ownerReferences = [], deletionTimestamp, finalizers = [] } }) => [
    ...ownerReferences.filter(({ uid }) => !uids.has(uid)).map((owner) => `${name} is left, and its owner ${owner.name} is gone`),
    ...(deletionTimestamp === undefined ? [] : [`${name} is left, and being deleted, with the finalizers ${finalizers.join(', ')}`]),
  ]);
}
