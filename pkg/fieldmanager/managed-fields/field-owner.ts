/** One entry of `metadata.managedFields`: a manager, its operation and the fields it owns. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from '../fieldpath/fields-v1.ts';
import type { FieldSetReader } from './cached-field-set-reader.ts';

export type ManagedFieldsOperation = 'Apply' | 'Update';

export interface OwnerInfo {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  /** The version that the fields refer to; for an Apply, that of its last write. */
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** RFC 3339, whole seconds, UTC. */
  readonly time?: string | undefined;
}

/** Keyed by `managerIdentifier`. */
export type ManagedFields = ReadonlyMap<string, FieldOwner>;

export const NO_MANAGED_FIELDS: ManagedFields = new Map();

/** Immutable. The set is decoded on first use, so that owners that a write does not concern are never decoded. */
export class FieldOwner implements OwnerInfo {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly #fields: OwnedFields;

  /** `fields` is a set or its canonical stored form, which `read` decodes. */
  constructor(info: OwnerInfo, fields: FieldSet | RawJson | OwnedFields, read: FieldSetReader = parseFieldsV1) {
    this.manager = info.manager;
    this.operation = info.operation;
    this.apiVersion = info.apiVersion;
    this.subresource = info.subresource;
    this.time = info.time;
    this.#fields = fields instanceof OwnedFields ? fields : new OwnedFields(fields, read);
  }

  /** Empty if the stored form is invalid. */
  get set(): FieldSet {
    return this.#fields.set;
  }

  /** The stored form of the set. */
  get fieldsV1(): RawJson {
    return this.#fields.json;
  }

  /** False if the stored form shows that no owned path ends in one of `names` (`"f:name":` in UTF-8). */
  mayOwn(names: readonly Buffer[]): boolean {
    return this.#fields.mayContainName(names);
  }

  /** The same owner if `set` is the set it has. */
  withSet(set: FieldSet): FieldOwner {
    return this.#fields.isDecoded && set === this.set ? this : new FieldOwner(this, set);
  }

  withTime(time: string | undefined): FieldOwner {
    return time === this.time ? this : new FieldOwner({ ...infoOf(this), time }, this.#fields);
  }
}

const infoOf = ({ manager, operation, apiVersion, subresource, time }: OwnerInfo): OwnerInfo => ({
  manager,
  operation,
  apiVersion,
  subresource,
  time,
});

/** A set and its stored form, each computed from the other on first use. */
class OwnedFields {
  readonly #decode: FieldSetReader;
  #set: FieldSet | undefined;
  #json: RawJson | undefined;

  constructor(fields: FieldSet | RawJson, read: FieldSetReader) {
    this.#decode = read;
    if (fields instanceof FieldSet) this.#set = fields;
    else this.#json = fields;
  }

  mayContainName(names: readonly Buffer[]): boolean {
    const bytes = this.#json?.bytes;
    return this.#set !== undefined || bytes === undefined || names.some((name) => bytes.includes(name));
  }

  get isDecoded(): boolean {
    return this.#set !== undefined;
  }

  get set(): FieldSet {
    return (this.#set ??= (this.#json === undefined ? undefined : this.#decode(this.#json)) ?? FieldSet.empty);
  }

  get json(): RawJson {
    return (this.#json ??= writeFieldsV1(this.set));
  }
}

/** Manager, operation, subresource, and version for Update. JSON, because Kubernetes breaks ties by this text. */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: Omit<OwnerInfo, 'time'>): string {
  const info: JsonObject = {
    manager: manager === '' ? undefined : manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource: subresource === '' ? undefined : subresource,
  };
  return writeJson(info);
}
