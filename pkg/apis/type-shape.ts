/**
 * The shape of an API type as the server needs it at run time: which fields there are, in which order they are written,
 * what is written for a field that is empty, where it is in protobuf, and how two writers' views of a value merge.
 * Generated from the type facts (`*.gen.ts`), never written by hand.
 */
import type { JsonValue } from '../apimachinery/json/json-value.ts';

export type TypeShape = ObjectShape | ArrayShape | MapShape | ScalarShape;

export interface ObjectShape {
  readonly shape: 'object';
  /** Model name, such as `io.k8s.api.batch.v1.CronJobSpec` with the suffix left out: `batch.v1.CronJobSpec`. */
  readonly name: string;
  /** In the order in which they are written. */
  readonly fields: readonly FieldShape[];
  /** One owner for the whole (`structType: atomic`). Absent: each member has its own. A field may say otherwise. */
  readonly atomic?: true;
}

export interface ArrayShape {
  readonly shape: 'array';
  readonly items: TypeShape;
  /** In protobuf the list is a message, with the elements as its field 1. Absent: a repeated field. */
  readonly wrapped?: true;
  /** Absent: one owner for the whole list (`listType: atomic`). */
  readonly merge?: ListMerge;
}

/** `set`: each value is owned. `map`: each element is, by its keys. From `listType` (KEP-555). */
export type ListMerge = { readonly type: 'set' } | { readonly type: 'map'; readonly keys: readonly ListKey[] };

export interface ListKey {
  readonly name: string;
  /** What an absent key stands for. */
  readonly default?: string | number | boolean;
}

/** Keys are strings. */
export interface MapShape {
  readonly shape: 'map';
  readonly values: TypeShape;
  /** One owner for the whole (`mapType: atomic`). */
  readonly atomic?: true;
}

export interface ScalarShape {
  readonly shape:
    | 'string'
    | 'boolean'
    | 'int32'
    | 'int64'
    | 'number'
    /** Base64 text. */
    | 'bytes'
    /** RFC 3339, written in whole seconds UTC. */
    | 'time'
    /** RFC 3339, written with six fractional digits UTC. */
    | 'micro-time'
    | 'duration'
    | 'quantity'
    | 'int-or-string'
    /** Any JSON, kept token for token. */
    | 'raw'
    /** managedFields' fieldsV1: any JSON object. */
    | 'fields-v1'
    | 'any';
}

export interface FieldShape {
  readonly name: string;
  readonly type: TypeShape;
  /** `empty`: omitted when empty, as by `omitempty`. `zero`: omitted when the struct is zero. `never`: written. */
  readonly omit: 'empty' | 'zero' | 'never';
  /** Absent and zero differ. */
  readonly pointer: boolean;
  /** What is written when the field is absent from the object; `undefined`: nothing. */
  readonly zero?: JsonValue;
  /** Protobuf field numbers, outermost first: an embedded Go struct is a message of its own. Absent: not encoded. */
  readonly wire?: readonly [number, ...number[]];
  /** Whether the struct has one owner, where this field says something else than its type. */
  readonly atomic?: boolean;
  /** What a strategic merge patch does with it. Absent: structs and maps merge, all else is replaced. */
  readonly patch?: PatchRules;
}

/** Of a strategic merge patch. */
export interface PatchRules {
  readonly strategies: readonly ('merge' | 'replace' | 'retainKeys')[];
  /** Names the elements of a list of objects that merges. Absent: it is a list of plain values. */
  readonly mergeKey?: string;
}
