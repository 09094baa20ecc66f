/** Combines CRC-32 sums of adjacent segments without their bytes, by arithmetic in GF(2)[x] modulo the polynomial. */

const POLYNOMIAL = 0xedb88320;
/** x^0 in the reflected representation: the top bit is the lowest power. */
const ONE = 0x80000000;

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let mask = ONE; mask !== 0; mask >>>= 1) {
    if ((a & mask) !== 0) product ^= factor;
    factor = (factor & 1) !== 0 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** The factor for a sum that is followed by `length` bytes: x^(8·length). Reuse it for segments of equal length. */
export function crc32Shift(length: number): number {
  let result = ONE;
  // x^8, squared once per bit of the length.
  let power = 0x00800000;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(power, result);
    power = multiply(power, power);
  }
  return result;
}

/** The sum of A followed by B, from the sums of both and `crc32Shift(length of B)`. */
export const combineCrc32 = (crcA: number, crcB: number, shiftB: number): number => (multiply(shiftB, crcA) ^ crcB) >>> 0;
