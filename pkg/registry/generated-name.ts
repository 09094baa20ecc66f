/** Generates names from `metadata.generateName`. */

/** No vowels and no look-alikes, to avoid words and misreading. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
/** A generated name is a valid label for every kind. */
const MAX_NAME_LENGTH = 63;
/** Larger bytes would favor the first letters of the alphabet. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

export function generateName(base: string, random: (size: number) => Buffer): string {
  let suffix = '';
  while (suffix.length < SUFFIX_LENGTH) {
    for (const byte of random(SUFFIX_LENGTH)) {
      if (byte < FAIR_BELOW && suffix.length < SUFFIX_LENGTH) suffix += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return base.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH) + suffix;
}
