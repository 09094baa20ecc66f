/** Create, replace and delete, once for all kinds: what is checked against the stored object, and what is answered. */
import type { AdmissionChain } from '../admission/admission.ts';
import { RESOURCE_VERSION_REQUIRED } from '../apimachinery/meta/object-meta.ts';
import { invalidValue } from '../apimachinery/status/causes.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import type { RuleContext } from '../apis/rule-context.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  notFound,
  objectModified,
  type StatusCause,
  StatusError,
} from '../apimachinery/status/status-error.ts';
import { NO_REVISION, type Revision } from '../storage/backend.ts';
import { planDeletion, releasesDeletion } from './deletion.ts';
import { generateName } from './generated-name.ts';
import { commitNew, type Decision, guaranteedUpdate, type NewObject, readFresh, type WriterOptions } from './guaranteed-update.ts';
import { objectKey } from './keys.ts';
import { repeatedOwnersWarning } from './object-meta.ts';
import type { DeleteRequest, DeleteResult, ObjectName, WriteOptions, WriteResult } from './object-store.ts';
import { type ObjectRules, prepareWrite } from './pipeline.ts';
import { type StoredObject, toObjectBytes } from './stored-object.ts';

/** A generated name that is taken is generated anew this often before the client is asked to try again. */
const MAX_GENERATED_NAMES = 8;

export interface WriteContext {
  readonly kind: Kind;
  readonly rules: ObjectRules;
  readonly ruleContext: RuleContext;
  readonly admission: AdmissionChain;
  readonly writer: WriterOptions;
  readonly newUid: () => string;
  readonly random: (size: number) => Buffer;
  readonly eventTtlMs: number;
}

/** The object that an update asks for, made from the stored one. Pure: it may run several times. */
export type Produce = (stored: KubernetesObject | undefined) => KubernetesObject | Promise<KubernetesObject>;

export async function createObject(
  context: WriteContext,
  namespace: string,
  object: KubernetesObject,
  options: WriteOptions,
): Promise<WriteResult> {
  const { definition } = context.kind;
  refuseOtherNamespace(context.kind, namespace, object);
  if (hasResourceVersion(object)) throw badRequest('metadata.resourceVersion: must not be set on an object that is to be created');
  warnOfRepeatedOwners(object, options);
  const { name = '', generateName: base = '' } = object.metadata;
  const placed = definition.namespaced ? namespace : '';
  if (name !== '' || base === '') return createNamed(context, { namespace: placed, name }, object, options);
  for (let attempt = 1; ; attempt++) {
    const generated = generateName(base, context.random);
    try {
      return await createNamed(context, { namespace: placed, name: generated }, object, options);
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
      if (attempt < MAX_GENERATED_NAMES) continue;
      throw new StatusError('AlreadyExists', `${error.message}, and no free name was generated in ${MAX_GENERATED_NAMES} tries`, {
        details: { name: generated, group: definition.group, kind: definition.resource, retryAfterSeconds: 1 },
      });
    }
  }
}

async function createNamed(context: WriteContext, name: ObjectName, object: KubernetesObject, options: WriteOptions): Promise<WriteResult> {
  const { kind, writer } = context;
  const prepared = await prepareNew(context, name, object, options);
  const key = objectKey(kind.definition, name);
  if (options.dryRun) {
    const taken = await readFresh(writer, key);
    if (taken !== undefined) throw nameTaken(kind, name.name, taken);
    return { outcome: 'created', object: toObjectBytes(prepared.json, NO_REVISION) };
  }
  const result = await commitNew(writer, key, prepared, options.signal);
  if (result.outcome === 'committed') return { outcome: 'created', object: toObjectBytes(prepared.json, result.revision) };
  throw nameTaken(kind, name.name, result.current);
}

async function prepareNew(context: WriteContext, name: ObjectName, object: KubernetesObject, options: WriteOptions): Promise<NewObject> {
  const nowMs = context.writer.clock.now();
  const { dryRun, signal, warn } = options;
  const prepared = await prepareWrite(context, {
    operation: 'CREATE',
    ...name,
    object,
    dryRun,
    signal,
    nowMs,
    uid: context.newUid(),
    warn,
  });
  return toNewObject(context, prepared);
}

export async function updateObject(
  context: WriteContext,
  name: ObjectName,
  subresource: '' | 'status',
  produce: Produce,
  options: WriteOptions,
): Promise<WriteResult> {
  const { kind, writer } = context;
  const key = objectKey(kind.definition, name);
  const decide = async (current: StoredObject | undefined): Promise<Decision<WriteResult>> => {
    const object = await produce(current?.object);
    warnOfRepeatedOwners(object, options);
    refuseOtherNamespace(kind, name.namespace, object);
    refuseOtherName(name.name, object);
    refuseOtherUid(kind, name.name, object, current);
    if (current === undefined) {
      if (kind.strategy.updateCreates !== true || subresource !== '') throw notFound(kind.definition, name.name);
      return decideCreate(context, name, object, options);
    }
    checkResourceVersion(kind, name.name, object, current.revision);
    return decideUpdate(context, name, subresource, object, current, options);
  };
  return guaranteedUpdate(writer, key, decide, options.signal);
}

async function decideCreate(
  context: WriteContext,
  name: ObjectName,
  object: KubernetesObject,
  options: WriteOptions,
): Promise<Decision<WriteResult>> {
  const prepared = await prepareNew(context, name, object, options);
  const answer = (revision: Revision): WriteResult => ({ outcome: 'created', object: toObjectBytes(prepared.json, revision) });
  return options.dryRun ? { does: 'nothing', answer: answer(NO_REVISION) } : { does: 'write', object: prepared, answer };
}

async function decideUpdate(
  context: WriteContext,
  name: ObjectName,
  subresource: '' | 'status',
  object: KubernetesObject,
  current: StoredObject,
  options: WriteOptions,
): Promise<Decision<WriteResult>> {
  const stored = current.object;
  const { dryRun, signal, warn } = options;
  const nowMs = context.writer.clock.now();
  const prepared = await prepareWrite(context, { operation: 'UPDATE', ...name, subresource, object, stored, dryRun, signal, nowMs, warn });
  const next = toNewObject(context, prepared);
  const unstored = toObjectBytes(next.json, current.revision);
  if (releasesDeletion(prepared, stored)) {
    const answer: WriteResult = { outcome: 'removed', object: unstored };
    return dryRun ? { does: 'nothing', answer } : { does: 'remove', answer: () => answer };
  }
  if (next.json.equals(current.json)) return { does: 'nothing', answer: { outcome: 'unchanged', object: unstored } };
  if (dryRun) return { does: 'nothing', answer: { outcome: 'updated', object: unstored } };
  return { does: 'write', object: next, answer: (revision) => ({ outcome: 'updated', object: toObjectBytes(next.json, revision) }) };
}

export async function deleteObject(context: WriteContext, name: ObjectName, request: DeleteRequest): Promise<DeleteResult> {
  const { kind, admission, writer } = context;
  const { definition, strategy } = kind;
  const key = objectKey(definition, name);
  const decide = async (current: StoredObject | undefined): Promise<Decision<DeleteResult>> => {
    if (current === undefined) throw notFound(definition, name.name);
    const stored = current.object;
    checkPreconditions(kind, name.name, request, current);
    const { dryRun, signal } = request;
    await admission.validate({ operation: 'DELETE', definition, subresource: '', ...name, object: undefined, stored, dryRun, signal });
    const plan = planDeletion(stored, { ...request, propagates: strategy.propagationFinalizers !== false, nowMs: writer.clock.now() });
    if (plan.does === 'remove') {
      const answer = (revision: Revision): DeleteResult => ({
        outcome: 'removed',
        uid: stored.metadata.uid ?? '',
        object: toObjectBytes(current.json, revision),
      });
      return dryRun ? { does: 'nothing', answer: answer(current.revision) } : { does: 'remove', answer };
    }
    const next = toNewObject(context, plan.object);
    const accepted = request.orphanDependents === false;
    const answer = (revision: Revision): DeleteResult => ({ outcome: 'held', object: toObjectBytes(next.json, revision), accepted });
    if (dryRun || next.json.equals(current.json)) return { does: 'nothing', answer: answer(current.revision) };
    return { does: 'write', object: next, answer };
  };
  return guaranteedUpdate(writer, key, decide, request.signal);
}

function warnOfRepeatedOwners(object: KubernetesObject, { warn }: WriteOptions): void {
  if (warn === undefined) return;
  const warning = repeatedOwnersWarning(object);
  if (warning !== undefined) warn(warning);
}

function toNewObject({ kind, writer, eventTtlMs }: WriteContext, object: KubernetesObject): NewObject {
  const json = writer.codec.encode(object);
  return kind.strategy.expires === true ? { json, expiresAt: writer.clock.now() + eventTtlMs } : { json };
}

function nameTaken({ definition }: Kind, name: string, taken: StoredObject | undefined): StatusError {
  const error = alreadyExists(definition, name);
  if (taken?.object.metadata.deletionTimestamp === undefined) return error;
  return new StatusError('AlreadyExists', `object is being deleted: ${error.message}`, { details: error.details });
}

function refuseOtherNamespace({ definition }: Kind, namespace: string, { metadata }: KubernetesObject): void {
  const sent = metadata.namespace ?? '';
  if (!definition.namespaced || sent === '' || sent === namespace) return;
  throw badRequest(`metadata.namespace: "${sent}" is not the namespace of the request, "${namespace}"`);
}

function refuseOtherName(name: string, { metadata }: KubernetesObject): void {
  const sent = metadata.name ?? '';
  if (sent === '') throw badRequest(`metadata.name: must be given, as in the path: "${name}"`);
  if (sent !== name) throw badRequest(`metadata.name: "${sent}" is not the name in the path, "${name}"`);
}

/** A uid in the body says which object of this name is meant; none is there at all when the object is gone. */
function refuseOtherUid({ definition }: Kind, name: string, { metadata }: KubernetesObject, current: StoredObject | undefined): void {
  const { uid = '' } = metadata;
  const stored = current?.object.metadata.uid ?? '';
  if (uid === '' || uid === stored) return;
  throw conflict(
    definition,
    name,
    stored === '' ? `uid ${uid} was sent, and no such object exists any more` : `uid ${uid} was sent, the stored object has ${stored}`,
  );
}

/** The sent resourceVersion must be the stored one. Absent, or "0": whatever is stored is replaced, where the kind allows it. */
function checkResourceVersion({ definition, strategy }: Kind, name: string, object: KubernetesObject, current: Revision): void {
  if (!hasResourceVersion(object)) {
    if (strategy.unconditionalUpdate === true) return;
    throw invalidResourceVersion(definition, name, RESOURCE_VERSION_REQUIRED);
  }
  const { resourceVersion = '' } = object.metadata;
  if (!/^[0-9]+$/.test(resourceVersion)) {
    throw invalidResourceVersion(
      definition,
      name,
      invalidValue('metadata.resourceVersion', resourceVersion, 'must be one that was read before'),
    );
  }
  if (Number(resourceVersion) !== current) throw objectModified(definition, name);
}

const hasResourceVersion = ({ metadata: { resourceVersion = '' } }: KubernetesObject) => resourceVersion !== '' && resourceVersion !== '0';

/** `details.kind` is the resource here: the request, not the object, is at fault. */
const invalidResourceVersion = ({ group, resource }: Kind['definition'], name: string, cause: StatusCause) =>
  invalid({ group, kind: resource }, name, [cause]);

function checkPreconditions({ definition }: Kind, name: string, { preconditions }: DeleteRequest, current: StoredObject): void {
  // Conflicts of a delete name the Kind, not the resource.
  const subject = { group: definition.group, resource: definition.kind };
  const uid = current.object.metadata.uid ?? '';
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the precondition asks for uid ${preconditions.uid}, the stored object has ${uid}: it may have been deleted and created anew`;
    throw conflict(subject, name, why);
  }
  const { resourceVersion } = preconditions;
  if (resourceVersion !== undefined && resourceVersion !== String(current.revision)) {
    const why = `the precondition asks for resourceVersion ${resourceVersion}, the stored object has ${current.revision}: it was modified`;
    throw conflict(subject, name, why);
  }
}
