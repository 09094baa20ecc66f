/** Which queues a flow may use: a hand that is dealt from the deck of all queues by the hash of the flow. */
import { createHash } from 'node:crypto';

/** The first 64 bits, as Kubernetes takes them. */
export const hashFlow = (flowSchema: string, distinguisher: string): bigint =>
  createHash('sha256').update(`${flowSchema}\0${distinguisher}`).digest().readBigUInt64LE(0);

/** `handSize` different numbers below `deckSize`, in the order in which Kubernetes deals them. */
export function dealHand(hash: bigint, deckSize: number, handSize: number): readonly number[] {
  const remainders: number[] = [];
  for (let rest = hash, i = 0; i < handSize; i++) {
    const size = BigInt(deckSize - i);
    remainders.push(Number(rest % size));
    rest /= size;
  }
  return remainders.map((remainder, i) => {
    let card = remainder;
    for (let j = i - 1; j >= 0; j--) if (card >= (remainders[j] ?? 0)) card++;
    return card;
  });
}
