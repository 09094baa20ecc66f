/** A value that shows by itself whether it is whole: every byte follows from its length, a seed and its place. */
export function testValue(length: number, seed: number): Buffer {
  const value = Buffer.allocUnsafeSlow(length);
  for (let i = 0; i < length; i++) value[i] = (seed * 31 + length + i * 7 + (i >> 8)) & 0xff;
  return value;
}
