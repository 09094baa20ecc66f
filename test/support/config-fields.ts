/**
 * How fields of configurations are written down for tests: what is there when nothing is said, what may be said, and
 * what may not.
 */

export interface FieldSample {
  readonly default: unknown;
  /** As it is written, and what it is read as where that differs. */
  readonly good: readonly (readonly [written: unknown, read?: unknown])[];
  readonly bad: readonly unknown[];
  /** Wrong, though no schema can tell. */
  readonly badByRule: readonly unknown[];
  /** The name in existing files. */
  readonly oldName?: string;
}

interface Samples {
  readonly good?: readonly unknown[];
  readonly bad?: readonly unknown[];
  readonly badByRule?: readonly unknown[];
}

const MAX_INT32 = 2 ** 31 - 1;

const sample = (fallback: unknown, { good = [], bad = [], badByRule = [] }: Samples): FieldSample => ({
  default: fallback,
  good: good.map((value) => [value]),
  bad,
  badByRule,
});

/** Of 32 bits; the bounds themselves are fine. */
export const int = (fallback: number, least = -(2 ** 31), most = MAX_INT32): FieldSample =>
  sample(fallback, { good: [least, most], bad: [least - 1, most + 1, String(fallback), 1.5, true, [fallback]] });

/** Finite; the bounds themselves are fine. */
export const decimal = (fallback: number, least: number, most?: number): FieldSample =>
  sample(fallback, { good: [least, most ?? 1e6, 0.25], bad: [least - 0.01, ...(most === undefined ? [] : [most + 0.01]), 'x', true] });

export const flag = (fallback: boolean): FieldSample => sample(fallback, { good: [true, false], bad: ['true', 1, []] });

export const text = (fallback: string, { good = [], bad = [], badByRule = [] }: Samples = {}): FieldSample =>
  sample(fallback, { good: [...good, fallback], bad: [...bad, 5, true, [fallback]], badByRule });

export const path = (fallback = ''): FieldSample => text(fallback, { good: ['/etc/file', 'relative/file'] });

/** `least`: `0s` where nothing may be waited; without it more than that. */
export function duration(fallback: string, least?: string): FieldSample {
  const bad = [5, '5', '', '5 min', '1d', '1h 5m', true, ['1s']];
  const good: readonly (readonly [unknown, unknown?])[] = [['90m', '1h30m0s'], ['1.5s'], ['+2s', '2s'], [fallback]];
  if (least === '0s') return { default: fallback, good: [...good, ['0', '0s'], ['0s']], bad: [...bad, '-1ns'], badByRule: [] };
  if (least === undefined) return { default: fallback, good: [...good, ['1ns']], bad: [...bad, '0s', '-1s', '0'], badByRule: [] };
  return { default: fallback, good: [...good, [least]], bad: [...bad, '-1s'], badByRule: ['1ns', '999ms'] };
}

export const list = (
  fallback: readonly unknown[],
  good: readonly unknown[],
  bad: readonly unknown[] = [],
  badByRule: readonly unknown[] = [],
): FieldSample => sample(fallback, { good: [good], bad: ['x', 5, {}, ...bad], badByRule });

export const formerly = (oldName: string, field: FieldSample): FieldSample => ({ ...field, oldName });

/** An object, whose fields are a kind of their own. */
export const object = (oldName?: string): FieldSample => ({
  default: OBJECT,
  good: [],
  bad: ['x', 5, [], true],
  badByRule: [],
  ...(oldName === undefined ? {} : { oldName }),
});

/** Stands for whatever the fields of an object are. */
export const OBJECT = Symbol('object');
