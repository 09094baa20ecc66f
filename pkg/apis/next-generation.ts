/** Increments an int64. Clients can set the generation of some kinds, possibly beyond the precision of a double. */
export function nextGeneration(generation: number | bigint = 0): number | bigint {
  const next = BigInt.asIntN(64, BigInt(generation) + 1n);
  const asNumber = Number(next);
  return Number.isSafeInteger(asNumber) ? asNumber : next;
}
