/** Create and delete for all kinds. `update-object.ts` has the other writes. */
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import { alreadyExists, badRequest, noNameGenerated, notFound, StatusError } from '../apimachinery/status/status-error.ts';
import { NO_REVISION, type Revision } from '../storage/backend.ts';
import { toMatcher } from '../watchcache/selection.ts';
import { planDeletion } from './deletion.ts';
import { generateName } from './generated-name.ts';
import { commitNew, type Decision, guaranteedUpdate, type NewObject, readFresh, type WriterOptions } from './guaranteed-update.ts';
import { objectKey } from './keys.ts';
import { toNewObject } from './new-object.ts';
import { repeatedOwnersWarning, withoutDeletion } from './object-meta.ts';
import type { ObjectChange, DeleteRequest, DeleteResult, ObjectName, WriteOptions, WriteResult } from './object-store.ts';
import { type PipelineOptions, prepareWrite } from './pipeline.ts';
import { type StoredObject, toObjectBytes } from './stored-object.ts';
import { checkPreconditions, refuseOtherNamespace } from './write-checks.ts';

/** Attempts to generate a free name before the client must retry. */
const MAX_GENERATED_NAMES = 8;

export interface WriteContext extends PipelineOptions {
  readonly writer: WriterOptions;
  readonly newUid: () => string;
  readonly random: (size: number) => Buffer;
  readonly eventTtlMs: number;
  readonly garbageCollection: boolean;
}

export async function createObject(
  context: WriteContext,
  namespace: string,
  sent: KubernetesObject,
  options: WriteOptions,
): Promise<WriteResult> {
  const { definition } = context.kind;
  const object = withoutDeletion(sent);
  refuseOtherNamespace(context.kind, namespace, object);
  warnOfRepeatedOwners(object, options);
  const { name = '', generateName: base = '' } = object.metadata;
  const objectNamespace = definition.namespaced ? namespace : '';
  if (name !== '' || base === '') return createNamed(context, { namespace: objectNamespace, name }, object, options);
  for (let attempt = 1; ; attempt++) {
    const generated = generateName(base, context.random);
    try {
      return await createNamed(context, { namespace: objectNamespace, name: generated }, object, options);
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
      if (attempt === MAX_GENERATED_NAMES) throw error;
    }
  }
}

const UINT64_MAX = 2n ** 64n - 1n;

/** As in Kubernetes, an object may be created with zeros, or with what is no version at all; a dry run takes any. */
const isVersion = (text = ''): boolean => /^0*[1-9][0-9]{0,19}$/.test(text) && BigInt(text) <= UINT64_MAX;

async function createNamed(context: WriteContext, name: ObjectName, object: KubernetesObject, options: WriteOptions): Promise<WriteResult> {
  const { kind, writer } = context;
  const prepared = await prepareNew(context, name, object, options, 'create');
  if (!options.dryRun && isVersion(object.metadata.resourceVersion))
    throw badRequest('resourceVersion should not be set on objects to be created');
  const taken = (current: StoredObject | undefined) => nameTaken(kind, name.name, object, current);
  const key = objectKey(writer.definition, name);
  if (options.dryRun) {
    const current = await readFresh(writer, key);
    if (current !== undefined) throw taken(current);
    return { outcome: 'created', object: toObjectBytes(writer.encoding, prepared.json, NO_REVISION) };
  }
  const result = await commitNew(writer, key, prepared, options.signal);
  if (result.outcome === 'committed') return { outcome: 'created', object: toObjectBytes(writer.encoding, prepared.json, result.revision) };
  throw taken(result.current);
}

/** Prepares an object for its first write under this name. */
export async function prepareNew(
  context: WriteContext,
  name: ObjectName,
  object: KubernetesObject,
  options: WriteOptions,
  by: 'create' | ObjectChange['by'],
): Promise<NewObject> {
  const { dryRun, fieldManager, user, signal, mayCreate, warn } = options;
  const prepared = await prepareWrite(context, {
    operation: 'CREATE',
    ...name,
    object,
    manager: by === 'apply' ? undefined : fieldManager,
    dryRun,
    user,
    signal,
    nowMs: context.writer.clock.now(),
    uid: context.newUid(),
    mayCreate,
    warn,
  });
  return toNewObject(context, prepared, { dropsManagedFields: by !== 'apply' });
}

export async function deleteObject(context: WriteContext, name: ObjectName, request: DeleteRequest): Promise<DeleteResult> {
  const { kind, admission, writer } = context;
  const { definition, strategy } = kind;
  const key = objectKey(writer.definition, name);
  const decide = async (current: StoredObject | undefined): Promise<Decision<DeleteResult>> => {
    if (current === undefined) throw notFound(definition, name.name);
    if (!isAsFound(context, name, request, current)) throw notFound(definition, name.name);
    const stored = current.object;
    checkPreconditions(kind, name.name, request, current);
    const { dryRun, user, signal } = request;
    const deletion = {
      operation: 'DELETE',
      definition,
      subresource: '',
      ...name,
      object: undefined,
      stored,
      user,
      dryRun,
      signal,
    } as const;
    await admission.validate(deletion);
    const { termination, propagationFinalizers, defaultPropagationPolicy = 'Background' } = strategy;
    const plan = planDeletion(stored, {
      ...request,
      propagates: context.garbageCollection && propagationFinalizers !== false,
      defaultPolicy: defaultPropagationPolicy,
      termination,
      nowMs: writer.clock.now(),
    });
    if (plan.action === 'remove') {
      const answer = (revision: Revision): DeleteResult => ({
        outcome: 'removed',
        uid: stored.metadata.uid ?? '',
        object: toObjectBytes(writer.encoding, current.json, revision),
      });
      return dryRun ? { action: 'nothing', answer: answer(current.revision) } : { action: 'remove', answer };
    }
    const next = toNewObject(context, plan.object);
    const accepted = request.orphanDependents === false;
    const answer = (revision: Revision): DeleteResult => ({
      outcome: 'held',
      object: toObjectBytes(writer.encoding, next.json, revision),
      accepted,
    });
    if (dryRun || next.json.equals(current.json)) return { action: 'nothing', answer: answer(current.revision) };
    return { action: 'write', object: next, answer };
  };
  return guaranteedUpdate(writer, key, decide, request.signal);
}

function isAsFound({ writer }: WriteContext, name: ObjectName, { found }: DeleteRequest, { json }: StoredObject): boolean {
  if (found === undefined) return true;
  const attributes = writer.resourceCache.resource.readAttributes(json);
  return attributes.uid === found.uid && toMatcher(found.by).matches({ ...name, ...attributes });
}

export function warnOfRepeatedOwners(object: KubernetesObject, { warn }: WriteOptions, isPatch = false): void {
  if (warn === undefined) return;
  const warning = repeatedOwnersWarning(object, isPatch);
  if (warning !== undefined) warn(warning);
}

function nameTaken({ definition }: Kind, name: string, { metadata }: KubernetesObject, taken: StoredObject | undefined): StatusError {
  const wantsName = (metadata.generateName ?? '') !== '';
  const error = wantsName ? noNameGenerated(definition, name) : alreadyExists(definition, name);
  if (taken?.object.metadata.deletionTimestamp === undefined) return error;
  return new StatusError('AlreadyExists', `object is being deleted: ${error.message}`, { details: error.details });
}
