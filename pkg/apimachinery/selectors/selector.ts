/** Parsed selectors, as the watch cache and the handlers share them. The parsers stand beside this file. */

export type LabelOperator = 'in' | 'notin' | 'exists' | 'doesNotExist' | 'greaterThan' | 'lessThan';

/** One condition on one label. `=` and `==` are `in` with one value, `!=` is `notin` with one value. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export interface LabelSelector {
  /** All must hold. Empty: everything matches. */
  readonly requirements: readonly LabelRequirement[];
  /** Selects nothing at all (a null LabelSelector). */
  readonly nothing?: true;
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

/** One condition on one field. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  /** All must hold. Empty: everything matches. */
  readonly requirements: readonly FieldRequirement[];
  /** `valueOf` reads a field of the object; an unknown field is "". */
  matches(valueOf: (field: string) => string): boolean;
}
