/** One entry of `metadata.managedFields`: who owns which fields, by which kind of write. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { FieldSet } from '../fields/field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from '../fields/fields-v1.ts';
import type { FieldSetReader } from './field-set-reader.ts';

export type ManagedFieldsOperation = 'Apply' | 'Update';

export interface OwnerFacts {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  /** The version that the fields are written in: of the last write, for an Apply. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** RFC 3339, whole seconds, UTC. */
  readonly time?: string | undefined;
}

/** By `ownerIdentity`. */
export type ManagedFields = ReadonlyMap<string, FieldOwner>;

export const NO_MANAGED_FIELDS: ManagedFields = new Map();

/** Immutable. The set is read out of its stored form when it is first asked for, and an owner that is only carried along never is. */
export class FieldOwner implements OwnerFacts {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly #fields: OwnedFields;

  /** `fields`: a set, or its canonical form, as `writeFieldsV1` made it at some time; `read` reads that. */
  constructor(facts: OwnerFacts, fields: FieldSet | RawJson | OwnedFields, read: FieldSetReader = parseFieldsV1) {
    this.manager = facts.manager;
    this.operation = facts.operation;
    this.apiVersion = facts.apiVersion;
    this.subresource = facts.subresource;
    this.time = facts.time;
    this.#fields = fields instanceof OwnedFields ? fields : new OwnedFields(fields, read);
  }

  /** Empty when the stored form cannot be read. */
  get set(): FieldSet {
    return this.#fields.set;
  }

  /** The set as it is stored. */
  get fieldsV1(): RawJson {
    return this.#fields.json;
  }

  /**
   * False: none of the paths that end in one of `names` is owned, as the stored form shows without being read. True says nothing. The names are
   * as they stand in the stored form, `"f:name":` in UTF-8.
   */
  mayOwn(names: readonly Buffer[]): boolean {
    return this.#fields.mayName(names);
  }

  /** This very owner when it is the set that it has. */
  withSet(set: FieldSet): FieldOwner {
    return this.#fields.isRead && set === this.set ? this : new FieldOwner(this, set);
  }

  withTime(time: string | undefined): FieldOwner {
    return time === this.time ? this : new FieldOwner({ ...factsOf(this), time }, this.#fields);
  }
}

const factsOf = ({ manager, operation, apiVersion, subresource, time }: OwnerFacts): OwnerFacts => ({
  manager,
  operation,
  apiVersion,
  subresource,
  time,
});

/** A set and its stored form, each made of the other when it is needed. */
class OwnedFields {
  readonly #read: FieldSetReader;
  #set: FieldSet | undefined;
  #json: RawJson | undefined;

  constructor(fields: FieldSet | RawJson, read: FieldSetReader) {
    this.#read = read;
    if (fields instanceof FieldSet) this.#set = fields;
    else this.#json = fields;
  }

  mayName(names: readonly Buffer[]): boolean {
    const bytes = this.#json?.bytes;
    return this.#set !== undefined || bytes === undefined || names.some((name) => bytes.includes(name));
  }

  get isRead(): boolean {
    return this.#set !== undefined;
  }

  get set(): FieldSet {
    return (this.#set ??= (this.#json === undefined ? undefined : this.#read(this.#json)) ?? FieldSet.empty);
  }

  get json(): RawJson {
    return (this.#json ??= writeFieldsV1(this.set));
  }
}

/**
 * What tells owners apart: a manager's writes by Update to one path in one version, or its applies to one path whatever the version. JSON, whose
 * order as text breaks ties where Kubernetes' does.
 */
export function ownerIdentity({ manager, operation, apiVersion, subresource }: Omit<OwnerFacts, 'time'>): string {
  const facts: JsonObject = {
    manager: manager === '' ? undefined : manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource: subresource === '' ? undefined : subresource,
  };
  return writeJson(facts);
}
