/**
 * What the whole write pipeline makes of an object, without a server: decoding, defaults, schema, rules, warnings. For
 * tables of rules.
 */
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { MemoryBackend } from '../registry/memory-backend.ts';
import { decode, openTestRegistry, parse, storeOf, write } from '../registry/test-registry.ts';
import type { WriteResult } from '../../pkg/registry/object-store.ts';
import type { Registry, RegistryOptions } from '../../pkg/registry/registry.ts';

export interface Verdict {
  /**
   * `Invalid spec.schedule`: the reason without `FieldValue`, and the field; in the order of the answer. Empty: the
   * object was taken.
   */
  readonly causes: readonly string[];
  /** Each cause's message, by its field. */
  readonly messages: Readonly<Record<string, string>>;
  /** What clients read in Warning headers, each text once. */
  readonly warnings: readonly string[];
  /** As it is stored and served. Absent: it was refused. */
  readonly object?: JsonObject;
}

export class Rules {
  readonly #registry: Registry;
  #named = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * `body` needs no kind and apiVersion; a name is made up when there is none, and the namespace is `default`. Refusals
   * other than 422 are thrown.
   */
  async create(kind: string, body: JsonObject): Promise<Verdict> {
    const { namespace = 'default' } = metadataOf(body);
    const object = decode(kind, { ...body, metadata: { name: `a-${++this.#named}`, ...metadataOf(body) } });
    return verdictOf((options) => storeOf(this.#registry, kind).create(typeof namespace === 'string' ? namespace : '', object, options));
  }

  /**
   * Creates `before`, which must be valid, and replaces it by `after`: by its main path, or by `/status`. Both get the
   * same name.
   */
  async update(kind: string, before: JsonObject, after: JsonObject, subresource: '' | 'status' = ''): Promise<Verdict> {
    const created = await this.create(kind, before);
    if (created.object === undefined) throw new Error(`the object to update was refused: ${JSON.stringify(created.messages)}`);
    const { name, namespace, resourceVersion } = metadataOf(created.object);
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), resourceVersion, ...metadataOf(after) };
    const object = decode(kind, { ...after, metadata });
    const target = { namespace: typeof namespace === 'string' ? namespace : '', name: typeof name === 'string' ? name : '' };
    return verdictOf((options) => storeOf(this.#registry, kind).replace(target, object, subresource, options));
  }

  close(): Promise<void> {
    return this.#registry.close();
  }
}

/** `options`: of the registry, such as the features that are on. */
export const openRules = async (options: Partial<RegistryOptions> = {}): Promise<Rules> =>
  new Rules(await openTestRegistry(new MemoryBackend(), options));

async function verdictOf(run: (options: typeof write) => Promise<WriteResult>): Promise<Verdict> {
  const warnings = new Set<string>();
  try {
    const { object } = await run({ ...write, warn: (text) => warnings.add(text) });
    return { causes: [], messages: {}, warnings: [...warnings], object: parse(object) };
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'Invalid') throw error;
    const causes = error.details?.causes ?? [];
    return {
      causes: causes.map(({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field}`),
      messages: Object.fromEntries(causes.map(({ field = '', message }) => [field, message])),
      warnings: [...warnings],
    };
  }
}

const metadataOf = ({ metadata }: JsonObject): JsonObject => (typeof metadata === 'object' ? (metadata as JsonObject) : {});
