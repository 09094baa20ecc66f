/** One more, as an int64: a client of some kinds chooses the generation, which a double may not represent. */
export function nextGeneration(generation: number | bigint = 0): number | bigint {
  const next = BigInt.asIntN(64, BigInt(generation) + 1n);
  const asNumber = Number(next);
  return Number.isSafeInteger(asNumber) ? asNumber : next;
}
