/** Choices of a case, which its seed decides alone. */
import { createRandom } from '../support/random.ts';

export interface Choices {
  /** In [0, max). */
  below(max: number): number;
  /** True once in `times`. */
  rarely(times: number): boolean;
  of<T>(list: readonly T[]): T;
  /** Up to `max` of the list, in any order. */
  some<T>(list: readonly T[], max: number): readonly T[];
}

export function createChoices(seed: number): Choices {
  const random = createRandom(seed);
  const below = (max: number) => Math.floor(random() * max);
  const of = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)];
    if (found === undefined) throw new Error('there is nothing to choose from');
    return found;
  };
  return { below, of, rarely: (times) => below(times) === 0, some: (list, max) => Array.from({ length: below(max + 1) }, () => of(list)) };
}
