/** A logarithmic axis: where a value lies on it, and which values are written beside it. */
export interface LogScale {
  /**
   * Powers of ten; where they are fewer than three, their 2 and 5 as well. Ascending; the first and the last are the
   * ends of the axis.
   */
  readonly ticks: readonly number[];
  /** 0 at the first tick, 1 at the last. */
  readonly place: (value: number) => number;
}

const WITHIN_DECADE = [1, 2, 5];
const FEW_DECADES = 2;
/** `log10` of a power of ten may miss it by a little. */
const ROUNDING = 1e-9;

/** Covers all of `values`, which must be above 0. */
export function logScale(values: readonly number[]): LogScale {
  if (values.length === 0 || values.some((value) => !(value > 0 && Number.isFinite(value)))) {
    throw new RangeError(`a logarithmic axis wants numbers above 0, not ${values.join(', ') || 'none'}`);
  }
  const least = Math.min(...values);
  const most = Math.max(...values);
  const steps = Math.log10(most / least) > FEW_DECADES + ROUNDING ? [1] : WITHIN_DECADE;
  const from = Math.floor(Math.log10(least) + ROUNDING);
  const to = Math.ceil(Math.log10(most) - ROUNDING);
  const all = Array.from({ length: to - from + 2 }, (_, index) => steps.map((step) => step * 10 ** (from + index))).flat();
  const first = all.findLastIndex((tick) => tick <= least * (1 + ROUNDING));
  const last = Math.max(
    all.findIndex((tick) => tick >= most * (1 - ROUNDING)),
    first + 1,
  );
  const ticks = all.slice(first, last + 1).map((tick) => Number(tick.toPrecision(3)));
  const [low = 1] = ticks;
  const width = Math.log10((ticks.at(-1) ?? low) / low);
  return { ticks, place: (value) => Math.log10(value / low) / width };
}
