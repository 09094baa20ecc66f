/**
 * Keeps the configuration of flow control: makes the mandatory and suggested objects, restores them every minute, and
 * writes the condition `Dangling` of FlowSchemas. As Kubernetes does at its start; one server does it, in the
 * background.
 */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Log } from '../../observability/logging.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { objectKey } from '../../registry/keys.ts';
import type { Lead } from '../../registry/leases/lease.ts';
import type { ServedKind } from '../../registry/registry.ts';
import { WorkQueue } from '../work-queue.ts';
import { AUTO_UPDATE, type BootstrapObject, createBootstrapObjects, parseBool, revise } from './bootstrap-objects.ts';
import { danglingCondition, type StoredFlowSchema } from './dangling.ts';

export interface PriorityAndFairnessOptions {
  readonly flowSchemas: ServedKind;
  readonly priorityLevels: ServedKind;
  readonly groupSuffix: string;
  /** Whether the condition is written; the objects are made anyway. */
  readonly writesStatus: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

/** As Kubernetes names them. */
const PRODUCER = 'api-priority-and-fairness-config-producer-v1';
const CONSUMER = 'api-priority-and-fairness-config-consumer-v1';
const ENSURE_EVERY_MS = 60_000;
const RETRY_MS = 1000;

export const createPriorityAndFairness =
  (options: PriorityAndFairnessOptions): Lead =>
  async (signal) => {
    const { clock, log, writesStatus } = options;
    const refilled = new AbortController();
    const working = AbortSignal.any([signal, refilled.signal]);
    const ensuring = async () => {
      while (!working.aborted) {
        const isDone = await ensure(options, working).then(
          () => true,
          (error: unknown) => {
            if (!working.aborted) log.warn('objects of flow control could not be made, retrying', { error });
            return false;
          },
        );
        await clock.sleep(isDone ? ENSURE_EVERY_MS : RETRY_MS, working);
      }
    };
    await Promise.all([ensuring(), ...(writesStatus ? [writeConditions(options, working, () => refilled.abort())] : [])]);
  };

async function ensure({ flowSchemas, priorityLevels, groupSuffix }: PriorityAndFairnessOptions, signal: AbortSignal): Promise<void> {
  const bootstrap = createBootstrapObjects(groupSuffix);
  const byResource = { flowschemas: flowSchemas, prioritylevelconfigurations: priorityLevels };
  for (const each of bootstrap) await ensureObject(byResource[each.resource], each, signal);
  for (const [resource, served] of Object.entries(byResource)) {
    const names = new Set(bootstrap.flatMap((each) => (each.resource === resource ? [each.object.metadata.name] : [])));
    await removeUnwanted(served, names, signal);
  }
}

async function ensureObject(served: ServedKind, wanted: BootstrapObject, signal: AbortSignal): Promise<void> {
  const { store } = served;
  const { name = '' } = wanted.object.metadata;
  const write = { dryRun: false, fieldManager: PRODUCER, signal };
  const stored = storedObject(served, name);
  if (stored === undefined) {
    await store.create('', wanted.object, write).catch(ignoreReason('AlreadyExists'));
    return;
  }
  if (revise(stored, wanted) === undefined) return;
  const patch = ({ object }: { readonly object: KubernetesObject }) => revise(object, wanted) ?? object;
  await store.update({ namespace: '', name }, '', { by: 'patch', patch }, write).catch(ignoreReason('NotFound'));
}

/** Objects that an older version made, and that this one does not know. */
async function removeUnwanted(served: ServedKind, names: ReadonlySet<string | undefined>, signal: AbortSignal): Promise<void> {
  const { cache, store } = served;
  for (const { name } of cache.snapshot().page({ selection: {} }).objects) {
    if (names.has(name) || parseBool(storedObject(served, name)?.metadata.annotations?.[AUTO_UPDATE]) !== true) continue;
    const options = { dryRun: false, fieldManager: PRODUCER, signal, preconditions: {} };
    await store.delete({ namespace: '', name }, options).catch(ignoreReason('NotFound'));
  }
}

/** Ends when a cache was filled again, since changes may have been missed. */
async function writeConditions(options: PriorityAndFairnessOptions, signal: AbortSignal, refilled: () => void): Promise<void> {
  const { flowSchemas, priorityLevels, clock, log, metrics } = options;
  const queue = new WorkQueue<string>({
    name: 'priority_and_fairness_config_queue',
    clock,
    metrics,
    failed: (name, error) => log.warn('status of a flow schema could not be written, retrying', { name, error }),
  });
  const addAll = () => {
    for (const { name } of flowSchemas.cache.snapshot().page({ selection: {} }).objects) queue.add(name);
  };
  const unsubscribe = [
    flowSchemas.cache.subscribe({ changed: ({ current }) => current !== undefined && queue.add(current.name), replaced: refilled }),
    priorityLevels.cache.subscribe({
      changed: ({ current, previous }) => {
        if (current === undefined || previous === undefined) addAll();
      },
      replaced: refilled,
    }),
  ];
  try {
    addAll();
    await queue.run(1, (name) => writeCondition(options, name, signal), signal);
  } finally {
    for (const end of unsubscribe) end();
  }
}

async function writeCondition(
  { flowSchemas, priorityLevels, clock }: PriorityAndFairnessOptions,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const levelExists = (level: string) => storedObject(priorityLevels, level) !== undefined;
  const conditionOf = (object: KubernetesObject) =>
    // The assertion is safe: the cache holds only objects of this kind.
    danglingCondition(object as unknown as StoredFlowSchema, levelExists, clock.now());
  const stored = storedObject(flowSchemas, name);
  if (stored === undefined || conditionOf(stored) === undefined) return;
  const { store, compiled } = flowSchemas;
  const { kind, apiVersion } = store.definition;
  const apply = async (current: { readonly object: KubernetesObject } | undefined) => {
    if (current === undefined) throw new StatusError('NotFound', `flow schema ${name} does not exist any more`);
    const condition = conditionOf(current.object);
    if (condition === undefined) return current.object;
    const configuration = { kind, apiVersion, metadata: { name }, status: { conditions: [condition] } };
    const applier = { manager: CONSUMER, subresource: 'status', nowMs: clock.now(), force: true };
    const applied = compiled.fieldManager.apply(current.object, configuration, applier);
    return toObject(compiled.codec.parseStored(Buffer.from(writeJson(applied))));
  };
  const write = { dryRun: false, fieldManager: CONSUMER, signal };
  await store.update({ namespace: '', name }, 'status', { by: 'apply', apply }, write).catch(ignoreReason('NotFound'));
}

function storedObject({ cache, store, compiled }: ServedKind, name: string): KubernetesObject | undefined {
  const cached = cache.get(objectKey(store.definition, { namespace: '', name }));
  return cached === undefined ? undefined : toObject(compiled.codec.parseStored(cached.itemBytes));
}

/** The assertion is safe: the caches hold only objects of the two kinds. */
const toObject = (object: JsonObject): KubernetesObject => object as unknown as KubernetesObject;

const ignoreReason =
  (reason: StatusError['reason']) =>
  (error: unknown): void => {
    if (!(error instanceof StatusError) || error.reason !== reason) throw error;
  };
