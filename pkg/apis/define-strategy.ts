/** Defines a strategy with the type of its kind instead of `KubernetesObject`. */
import type { RawJson } from '../apimachinery/json/raw-json.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { Strategy, SubresourceRules } from './kind.ts';
import type { RuleContext } from './rule-context.ts';

/** An object before validation: types are correct, but any field may be absent and an enum may be any string. */
export type Unchecked<T> = T extends string
  ? string
  : T extends number | bigint | boolean | null | undefined | RawJson
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Unchecked<Item>[]
      : string extends keyof T // a map: its entries always have a value
        ? { readonly [Key in keyof T]: Unchecked<T[Key]> }
        : { readonly [Field in keyof T]?: Unchecked<T[Field]> };

type TypedMembers =
  | 'applyDefaults'
  | 'dropDisabled'
  | 'prepareForCreate'
  | 'prepareForUpdate'
  | 'applyStoredDefaults'
  | 'validateCreate'
  | 'validateUpdate'
  | 'validateStatusUpdate'
  | 'warnOnCreate'
  | 'warnOnUpdate'
  | 'selectableFields'
  | 'subresources'
  | 'termination';

/** `Strategy` with the kind's type. The stored object is unchecked too, because an older server may have written it. */
export interface TypedStrategy<T> extends Omit<Strategy, TypedMembers> {
  readonly applyDefaults?: (object: Unchecked<T>) => Unchecked<T>;
  readonly dropDisabled?: (object: Unchecked<T>, stored: Unchecked<T> | undefined, context: RuleContext) => Unchecked<T>;
  readonly prepareForCreate?: (object: Unchecked<T>) => Unchecked<T>;
  readonly prepareForUpdate?: (object: Unchecked<T>, stored: Unchecked<T>) => Unchecked<T>;
  readonly applyStoredDefaults?: (object: Unchecked<T>) => Unchecked<T>;
  readonly validateCreate?: (object: Unchecked<T>, context: RuleContext) => readonly StatusCause[];
  readonly validateUpdate?: (object: Unchecked<T>, stored: Unchecked<T>, context: RuleContext) => readonly StatusCause[];
  readonly validateStatusUpdate?: (object: Unchecked<T>, stored: Unchecked<T>, context: RuleContext) => readonly StatusCause[];
  readonly warnOnCreate?: (object: Unchecked<T>) => readonly string[];
  readonly warnOnUpdate?: (object: Unchecked<T>, stored: Unchecked<T>) => readonly string[];
  readonly selectableFields?: Readonly<Record<string, (object: Unchecked<T>) => string>>;
  readonly subresources?: Readonly<Record<string, TypedSubresourceRules<T>>>;
  readonly termination?: { readonly begin: (object: Unchecked<T>) => Unchecked<T>; readonly isHeld: (object: Unchecked<T>) => boolean };
}

interface TypedSubresourceRules<T> extends Omit<SubresourceRules, 'validateUpdate'> {
  readonly validateUpdate?: (object: Unchecked<T>, stored: Unchecked<T>, context: RuleContext) => readonly StatusCause[];
}

/** The assertion is safe because a strategy only gets objects of its kind, decoded by its shape. */
export const defineStrategy = <T>(strategy: TypedStrategy<T>): Strategy => strategy as unknown as Strategy;
