import { createRandom } from '../support/random.ts';

/** Random choices that are the same for the same seed. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: string) {
    this.#random = createRandom(hash(seed));
  }

  /** From 0 to `below` - 1. */
  integer(below: number): number {
    return Math.floor(this.#random() * below);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.integer(choices.length)];
    if (chosen === undefined && choices.length === 0) throw new Error('nothing to choose from');
    return chosen as T;
  }

  /** Each choice with its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.#random() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    throw new Error('nothing to choose from');
  }

  /** Each of `choices` with this probability, in their order. */
  some<T>(choices: readonly T[], probability: number): readonly T[] {
    return choices.filter(() => this.chance(probability));
  }

  /** For another source of random choices. */
  seed(): number {
    return this.integer(2 ** 31);
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193);
  return state >>> 0;
}
