/** Divides the server's seats among priority levels by what they need. */

export interface SeatClaim {
  readonly lowerBound: number;
  readonly upperBound: number;
  /** At least the lower bound. */
  readonly target: number;
}

export interface SeatAllocation {
  readonly seats: readonly number[];
  /** What each target was multiplied with, before the bounds were applied. */
  readonly fairFraction: number;
}

/** So that nothing is divided by zero. */
const MIN_TARGET = 0.001;

/**
 * The one fraction of all targets with which the seats, kept within their bounds, have the wanted sum. Undefined if the
 * bounds allow no such sum.
 */
export function allocateSeats(sum: number, claims: readonly SeatClaim[]): SeatAllocation | undefined {
  const targets = claims.map(({ target }) => Math.max(target, MIN_TARGET));
  const seatsAt = (fraction: number) =>
    claims.map(({ lowerBound, upperBound }, i) => Math.max(lowerBound, Math.min(upperBound, fraction * (targets[i] ?? 0))));
  const sumAt = (fraction: number) => seatsAt(fraction).reduce((total, seats) => total + seats, 0);
  // The sum is linear between the fractions at which a bound begins or ends to matter.
  const corners = claims
    .flatMap(({ lowerBound, upperBound }, i) => [lowerBound / (targets[i] ?? 1), upperBound / (targets[i] ?? 1)])
    .sort((a, b) => a - b);
  const [lowest = 0] = corners;
  let [from, fromSum] = [lowest, sumAt(lowest)];
  if (fromSum > sum + EPSILON) return undefined;
  for (const to of corners) {
    const toSum = sumAt(to);
    if (toSum >= sum - EPSILON) {
      const fairFraction = toSum === fromSum ? from : from + (to - from) * Math.min(1, (sum - fromSum) / (toSum - fromSum));
      return { seats: seatsAt(fairFraction), fairFraction };
    }
    [from, fromSum] = [to, toSum];
  }
  return undefined;
}

const EPSILON = 1e-7;
