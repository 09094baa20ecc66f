/** Replace, patch and apply of a stored object. */
import { notFound, objectModified } from '../apimachinery/status/status-error.ts';
import { equalByShape } from '../apis/equal-by-shape.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import { differOnlyInTimes } from '../fieldmanager/managed-fields/differ-only-in-times.ts';
import { NO_REVISION, type Revision } from '../storage/backend.ts';
import { releasesDeletion } from './deletion.ts';
import { type Decision, guaranteedUpdate } from './guaranteed-update.ts';
import { objectKey } from './keys.ts';
import { toNewObject } from './new-object.ts';
import { withMetadata } from './object-meta.ts';
import type { ObjectChange, ObjectName, Subresource, WriteOptions, WriteResult } from './object-store.ts';
import { prepareWrite } from './pipeline.ts';
import { type StoredObject, toObjectBytes } from './stored-object.ts';
import {
  checkResourceVersion,
  refuseMalformedVersion,
  refuseOtherName,
  refuseOtherNamespace,
  refuseOtherUid,
  refuseUid,
} from './write-checks.ts';
import { prepareNew, warnOfRepeatedOwners, type WriteContext } from './writes.ts';

/** Attempts of a patch against newer objects of other processes; then the client gets Conflict. */
const MAX_PATCH_TRIES = 5;

interface Update extends ObjectName {
  readonly subresource: Subresource;
  readonly change: ObjectChange;
  readonly options: WriteOptions;
}

export function updateObject(
  context: WriteContext,
  name: ObjectName,
  subresource: Subresource,
  change: ObjectChange,
  options: WriteOptions,
): Promise<WriteResult> {
  const { kind, writer } = context;
  const update: Update = { ...name, subresource, change, options };
  const maxTries = change.by === 'replace' ? Infinity : MAX_PATCH_TRIES;
  return guaranteedUpdate(writer, objectKey(writer.definition, name), (current) => decide(context, update, current), options.signal, {
    maxTries,
    lost: () => objectModified(kind.definition, name.name),
  });
}

async function decide(context: WriteContext, update: Update, current: StoredObject | undefined): Promise<Decision<WriteResult>> {
  const { kind } = context;
  const { name, namespace, change, options } = update;
  const object = await changed(kind, update, current);
  if (current === undefined && change.by === 'apply') refuseUid(kind, name, object);
  refuseOtherNamespace(kind, namespace, object);
  refuseOtherName(name, object);
  if (current === undefined && !creates(kind, update)) throw notFound(kind.definition, name);
  warnOfRepeatedOwners(object, options, change.by !== 'replace');
  // The uid in a patch fails validation with the other immutable fields.
  if (change.by === 'replace') refuseOtherUid(kind, name, object, current);
  if (current === undefined) {
    refuseMalformedVersion(kind.definition, name, object);
    return decideCreate(context, update, object);
  }
  checkResourceVersion(kind, name, object, current.revision);
  return decideUpdate(context, update, object, current);
}

/** Throws NotFound for a patch of a missing object, before any other error. */
function changed(kind: Kind, update: Update, current: StoredObject | undefined): KubernetesObject | Promise<KubernetesObject> {
  const { name, change } = update;
  if (change.by === 'replace') return change.object;
  if (current === undefined && !creates(kind, update)) throw notFound(kind.definition, name);
  if (change.by === 'apply') return change.apply(current);
  if (current === undefined) throw notFound(kind.definition, name);
  return change.patch(current);
}

function creates({ strategy }: Kind, { change, subresource }: Update): boolean {
  if (subresource !== '' || change.by === 'patch') return false;
  return change.by === 'apply' || strategy.updateCreates === true;
}

async function decideCreate(
  context: WriteContext,
  { namespace, name, change, options }: Update,
  object: KubernetesObject,
): Promise<Decision<WriteResult>> {
  const prepared = await prepareNew(context, { namespace, name }, object, options, change.by);
  const answer = (revision: Revision): WriteResult => ({
    outcome: 'created',
    object: toObjectBytes(context.writer.encoding, prepared.json, revision),
  });
  return options.dryRun ? { action: 'nothing', answer: answer(NO_REVISION) } : { action: 'write', object: prepared, answer };
}

async function decideUpdate(
  context: WriteContext,
  { namespace, name, subresource, change, options }: Update,
  object: KubernetesObject,
  current: StoredObject,
): Promise<Decision<WriteResult>> {
  const stored = current.object;
  const { encoding } = context.writer;
  const { dryRun, fieldManager, user, signal, warn } = options;
  const nowMs = context.writer.clock.now();
  const manager = change.by === 'apply' ? undefined : fieldManager;
  const write = { operation: 'UPDATE', namespace, name, subresource, object, stored, manager, dryRun, user, signal, nowMs, warn } as const;
  const prepared = await prepareWrite(context, write);
  const next = toNewObject(context, prepared, { dropsManagedFields: change.by !== 'apply' });
  const unstored = toObjectBytes(encoding, next.json, current.revision);
  if (releasesDeletion(prepared, stored, context.kind.strategy.termination)) {
    const answer: WriteResult = { outcome: 'removed', object: unstored };
    return dryRun ? { action: 'nothing', answer } : { action: 'remove', answer: () => answer };
  }
  if (next.json.equals(current.json) || onlyTimesDiffer(context, prepared, current)) {
    return { action: 'nothing', answer: { outcome: 'unchanged', object: toObjectBytes(encoding, current.json, current.revision) } };
  }
  if (dryRun) return { action: 'nothing', answer: { outcome: 'updated', object: unstored } };
  return {
    action: 'write',
    object: next,
    answer: (revision) => ({ outcome: 'updated', object: toObjectBytes(encoding, next.json, revision) }),
  };
}

/** As in Kubernetes, a change of managedFields timestamps alone is not a write. */
function onlyTimesDiffer({ kind, writer }: WriteContext, prepared: KubernetesObject, { object, json }: StoredObject): boolean {
  const { managedFields = [] } = object.metadata;
  const next = prepared.metadata.managedFields ?? [];
  if (next.every(({ time }, index) => time === managedFields[index]?.['time']) || !differOnlyInTimes(next, managedFields)) return false;
  const retimed = withMetadata(prepared, { managedFields });
  // The field comparison rejects most writes first, since encoding takes a tenth of a replace.
  return equalByShape(kind.shape, retimed, object) && writer.codec.encode(retimed).equals(json);
}
