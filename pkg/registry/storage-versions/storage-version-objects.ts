/** The StorageVersions, changed through their object store by compare-and-set, like any client. */
import type { Kind, KubernetesObject } from '../../apis/kind.ts';
import type { UncheckedStatus } from '../../apis/apiserverinternal/v1alpha1/storageversions/rules.ts';
import type { StatusChange } from '../../apis/apiserverinternal/v1alpha1/storageversions/server-entries.ts';
import { StatusError, type StatusReason } from '../../apimachinery/status/status-error.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import { toRfc3339Seconds } from '../../apimachinery/time/rfc3339.ts';
import type { ObjectCodec } from '../../schema/object-codec.ts';
import type { ObjectBytes, ObjectStore, WriteOptions } from '../object-store.ts';
import type { ServedKind } from '../registry.ts';

/** What to do with an object in its current state. */
export type StatusStep =
  | { readonly action: 'create' }
  | { readonly action: 'write'; readonly status: UncheckedStatus }
  | { readonly action: 'delete' }
  | { readonly action: 'nothing' };

export interface CurrentState {
  readonly status: UncheckedStatus | undefined;
  /** A finalizer would keep it from being deleted. */
  readonly isHeld: boolean;
}

/** May be called several times with newer states. `current` is undefined when the object does not exist. */
export type DecideStatus = (current: CurrentState | undefined, change: StatusChange) => StatusStep | Promise<StatusStep>;

export interface StorageVersionObjectsOptions {
  readonly served: ServedKind;
  readonly clock: Clock;
}

/** Each conflict means that another server succeeded, so this many indicate a bug. */
const MAX_RACES = 50;
const FIELD_MANAGER = 'coxswain';

export class StorageVersionObjects {
  readonly #kind: Kind;
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #codec: ObjectCodec;

  constructor({ served: { compiled, store }, clock }: StorageVersionObjectsOptions) {
    this.#kind = compiled.kind;
    this.#store = store;
    this.#clock = clock;
    this.#codec = compiled.codec;
  }

  /** Resolves when the newest state was decided on. Throws StatusError when the store refuses or is silent. */
  async change(name: string, decide: DecideStatus, signal: AbortSignal): Promise<void> {
    let current = await this.#read(name, signal);
    for (let races = 0; races < MAX_RACES;) {
      const step = await decide(toCurrent(current), this.#changeOf(current));
      try {
        if (step.action === 'create') {
          current = await this.#create(name, signal);
          continue;
        }
        await this.#perform(name, step, current, signal);
        return;
      } catch (error) {
        if (!isLostRace(error)) throw error;
        races++;
      }
      current = await this.#read(name, signal);
    }
    throw new Error(`${name} was changed by others ${MAX_RACES} times in a row`);
  }

  /** Names and status of all objects. */
  async list(signal: AbortSignal): Promise<readonly { readonly name: string; readonly status: UncheckedStatus | undefined }[]> {
    const { page } = await this.#store.list({ selection: {}, at: { at: 'newest' }, limit: 0 }, signal);
    return [...page.objects].map(({ itemBytes }) => {
      const object = this.#codec.parseStored(itemBytes) as KubernetesObject;
      return { name: object.metadata.name ?? '', status: statusOf(object) };
    });
  }

  async #perform(
    name: string,
    step: Exclude<StatusStep, { action: 'create' }>,
    current: KubernetesObject | undefined,
    signal: AbortSignal,
  ) {
    if (step.action === 'nothing' || current === undefined) return;
    const target = { namespace: '', name };
    if (step.action === 'write') {
      await this.#store.replace(target, { ...current, status: step.status }, 'status', writeOptions(signal));
      return;
    }
    const { uid, resourceVersion } = current.metadata;
    const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
    await this.#store.delete(target, { ...writeOptions(signal), preconditions });
  }

  async #create(name: string, signal: AbortSignal): Promise<KubernetesObject> {
    const { kind, apiVersion } = this.#kind.definition;
    const { object } = await this.#store.create('', { kind, apiVersion, metadata: { name }, spec: {} }, writeOptions(signal));
    return this.#parse(object);
  }

  async #read(name: string, signal: AbortSignal): Promise<KubernetesObject | undefined> {
    try {
      return this.#parse(await this.#store.get({ namespace: '', name }, { at: 'newest' }, signal));
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** The object store returns objects of the kind, which have metadata. */
  #parse({ json }: ObjectBytes): KubernetesObject {
    return this.#codec.decodeBody(Buffer.concat(json)).object as KubernetesObject;
  }

  #changeOf(current: KubernetesObject | undefined): StatusChange {
    return { now: toRfc3339Seconds(this.#clock.now()), generation: current?.metadata.generation };
  }
}

const writeOptions = (signal: AbortSignal): WriteOptions => ({ dryRun: false, fieldManager: FIELD_MANAGER, signal });

/** The codec has checked the types. */
const statusOf = (object: KubernetesObject): UncheckedStatus | undefined => object['status'] as UncheckedStatus | undefined;
const toCurrent = (object: KubernetesObject | undefined): CurrentState | undefined =>
  object === undefined ? undefined : { status: statusOf(object), isHeld: (object.metadata.finalizers ?? []).length > 0 };

const isReason = (error: unknown, reason: StatusReason): boolean => error instanceof StatusError && error.reason === reason;
const isLostRace = (error: unknown): boolean =>
  isReason(error, 'Conflict') || isReason(error, 'AlreadyExists') || isReason(error, 'NotFound');
