/**
 * The run-time description of an API type: its fields, the order and form in which they are written, their protobuf
 * numbers, and how changes of several writers merge. Generated from the type facts (`*.gen.ts`), never written by hand.
 */
import type { JsonValue } from '../apimachinery/json/json-value.ts';

export type TypeShape = ObjectShape | ArrayShape | MapShape | ScalarShape;

export interface ObjectShape {
  readonly shape: 'object';
  /** The short model name: `batch.v1.CronJobSpec` for `io.k8s.api.batch.v1.CronJobSpec`. */
  readonly name: string;
  /** In the order in which they are written. */
  readonly fields: readonly FieldShape[];
  /** One owner for the struct (`structType: atomic`). Absent: each member has its own. A field may override it. */
  readonly atomic?: true;
}

export interface ArrayShape {
  readonly shape: 'array';
  readonly items: TypeShape;
  /** In protobuf the list is a message with its elements in field 1. Absent: a repeated field. */
  readonly wrapped?: true;
  /** Absent: one owner for the whole list (`listType: atomic`). */
  readonly merge?: ListMerge;
}

/** `set`: each value has an owner. `map`: each element, identified by its keys. From `listType` (KEP-555). */
export type ListMerge = { readonly type: 'set' } | { readonly type: 'map'; readonly keys: readonly ListKey[] };

export interface ListKey {
  readonly name: string;
  /** The value of an absent key. */
  readonly default?: string | number | boolean;
}

/** Keys are strings. */
export interface MapShape {
  readonly shape: 'map';
  readonly values: TypeShape;
  /** One owner for the map (`mapType: atomic`). */
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
    /** RFC 3339, written as UTC with whole seconds. */
    | 'time'
    /** RFC 3339, written as UTC with six fractional digits. */
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
  /** `empty`: omitted when empty, like `omitempty`. `zero`: omitted if the struct is zero. `never`: written. */
  readonly omit: 'empty' | 'zero' | 'never';
  /** An absent field differs from a zero value. */
  readonly pointer: boolean;
  /** The value to write if the field is absent; `undefined`: nothing. */
  readonly zero?: JsonValue;
  /** Protobuf field numbers, outermost first, since embedded Go structs are messages. Absent: not encoded. */
  readonly wire?: readonly [number, ...number[]];
  /** Overrides `atomic` of the struct in this field. */
  readonly atomic?: boolean;
  /** The effect of a strategic merge patch. Absent: structs and maps merge, everything else is replaced. */
  readonly patch?: PatchRules;
}

/** Rules of strategic merge patches. */
export interface PatchRules {
  readonly strategies: readonly ('merge' | 'replace' | 'retainKeys')[];
  /** The key of the elements of a merged list. Absent: a list of plain values. */
  readonly mergeKey?: string;
}
