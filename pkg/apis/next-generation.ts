/**
 * One more, as Go counts an int64. A client of some kinds chooses the generation itself, so it may be beyond what a
 * double can count.
 */
export function nextGeneration(generation: number | bigint = 0): number | bigint {
  const next = BigInt.asIntN(64, BigInt(generation) + 1n);
  const asNumber = Number(next);
  return Number.isSafeInteger(asNumber) ? asNumber : next;
}
