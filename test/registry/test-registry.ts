/** A registry of all kinds for tests, and what a test needs to talk to it. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import type { ResponseWriter } from '../../pkg/apimachinery/streams/response-writer.ts';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import type { Kind, KubernetesObject } from '../../pkg/apis/kind.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import type {
  DeleteRequest,
  ListQuery,
  ListResult,
  ObjectBytes,
  ObjectName,
  ObjectStore,
  WriteOptions,
} from '../../pkg/registry/object-store.ts';
import { openRegistry, type Registry, type RegistryOptions, type ServedKind } from '../../pkg/registry/registry.ts';
import { kindCase } from '../support/kinds.ts';

const GROUP_SUFFIX = 'example.io';
export const KINDS = createKinds({ groupSuffix: GROUP_SUFFIX });

export function kindNamed(name: string): Kind {
  const kind = KINDS.find(({ definition }) => definition.kind === name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

export async function openTestRegistry(backend: Backend, overrides: Partial<RegistryOptions> = {}): Promise<Registry> {
  const registry = await openRegistry({
    backend,
    kinds: KINDS,
    clock: systemClock,
    random: randomBytes,
    newUid: randomUUID,
    log: silentLog,
    identity: 'test',
    groupSuffix: GROUP_SUFFIX,
    eventTtlMs: 3_600_000,
    representationCacheBytes: 1 << 20,
    ringBytes: 1 << 20,
    ...overrides,
  });
  await registry.watchCache.filled();
  return registry;
}

export const storeOf = (registry: Registry, kind: string): ObjectStore => storeOfKind(registry, kindNamed(kind));

export function servedNamed(registry: Registry, kind: string): ServedKind {
  const served = registry.served.find(({ compiled }) => compiled.kind.definition.kind === kind);
  if (served === undefined) throw new Error(`${kind} is not served`);
  return served;
}

/** Of a kind or a view. */
export function storeOfKind(registry: Registry, { definition: { resource, group } }: Kind): ObjectStore {
  const served = registry.find(resource, group);
  if (served === undefined) throw new Error(`no store for ${resource}.${group}`);
  return served.store;
}

export const never: AbortSignal = new AbortController().signal;
export const write: WriteOptions = { dryRun: false, fieldManager: 'test', signal: never };
export const dry: WriteOptions = { ...write, dryRun: true };
export const plainDelete: DeleteRequest = { ...write, preconditions: {} };
export const everything: ListQuery = { selection: {}, at: { at: 'newest' }, limit: 0 };

/** As a handler decodes a body. */
export function decode(kind: string, body: JsonObject): KubernetesObject {
  const { definition, shape } = kindNamed(kind);
  const { apiVersion } = definition;
  const { object } = createObjectCodec(shape).decodeBody(Buffer.from(JSON.stringify({ kind, apiVersion, ...body })));
  return object as KubernetesObject;
}

/** A small valid object. */
export const sample = (kind: string, metadata: JsonObject, more: JsonObject = {}): KubernetesObject =>
  decode(kind, { ...kindCase(kind).sample('', 'default'), apiVersion: kindNamed(kind).definition.apiVersion, metadata, ...more });

/** What was sent, parsed. */
export const parse = ({ json }: ObjectBytes): KubernetesObject => JSON.parse(Buffer.concat(json).toString()) as KubernetesObject;

/** What was sent, as a body that can be sent back. */
export const reread = (bytes: ObjectBytes): KubernetesObject => {
  const parsed = parse(bytes);
  return decode(parsed.kind, parsed);
};

export const readNewest = async (store: ObjectStore, name: ObjectName): Promise<KubernetesObject> =>
  reread(await store.get(name, { at: 'newest' }, never));

/** Keeps what is written. */
export class CollectingWriter implements ResponseWriter {
  readonly #pieces: Buffer[] = [];
  readonly queuedBytes = 0;
  closed = false;

  write(bytes: Uint8Array): boolean {
    this.#pieces.push(Buffer.from(bytes));
    return true;
  }

  async drained(): Promise<void> {
    await Promise.resolve();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  get lines(): readonly JsonObject[] {
    return this.bytes
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonObject);
  }
}

/** The page as it is sent. */
export async function pageBytes({ page }: ListResult, encoding: 'identity' | 'gzip' = 'identity'): Promise<Buffer> {
  const writer = new CollectingWriter();
  await page.writeTo(writer, { head: Buffer.from('['), tail: Buffer.from(']'), encoding });
  return writer.bytes;
}

export const namesOf = async (result: ListResult): Promise<readonly (string | undefined)[]> =>
  (JSON.parse((await pageBytes(result)).toString()) as KubernetesObject[]).map(({ metadata }) => metadata.name);
