/** Bytes that are wrong in random places: flipped, cut, repeated, moved, or with lengths that lie. */
import fc from 'fast-check';

/** What breaks readers: lengths and tags at their limits, and varints that do not end. */
const ODD_BYTES: readonly Buffer[] = [
  '00',
  '01',
  '7f',
  '80',
  'ff',
  '0b',
  '0c',
  '0e',
  '0a00',
  '0a01',
  'ffff03',
  'ffffffff07',
  'ffffffff0f',
  'ffffffffffffffffff01',
  'ffffffffffffffffffff01',
  'fffd',
  'c328',
  '4b4b4b4b',
  '0a0a0a0a0a0a0a0a',
  '6b387300',
  '1a022222',
].map((hex) => Buffer.from(hex, 'hex'));

type Operation = 'flip' | 'cut' | 'repeat' | 'replace' | 'insert' | 'truncate' | 'splice';

interface Mutation {
  readonly operation: Operation;
  readonly at: number;
  readonly size: number;
  readonly odd: Buffer;
  readonly other: Buffer;
}

function mutate(bytes: Buffer, { operation, at, size, odd, other }: Mutation): Buffer {
  const start = at % (bytes.byteLength + 1);
  const end = Math.min(bytes.byteLength, start + size);
  const before = bytes.subarray(0, start);
  const part = bytes.subarray(start, end);
  const behind = bytes.subarray(end);
  switch (operation) {
    case 'flip':
      return Buffer.concat([before, part.subarray(0, 1).map((byte) => byte ^ (1 << (size % 8))), bytes.subarray(start + 1)]);
    case 'cut':
      return Buffer.concat([before, behind]);
    case 'repeat':
      return Buffer.concat([before, part, part, behind]);
    case 'replace':
      return Buffer.concat([before, odd, bytes.subarray(start + odd.byteLength)]);
    case 'insert':
      return Buffer.concat([before, odd, bytes.subarray(start)]);
    case 'truncate':
      return before;
    case 'splice':
      return Buffer.concat([before, other.subarray(start, end), behind]);
    default:
      return operation satisfies never;
  }
}

/** One to four changes to one of `samples`. */
export function mutatedBytes(samples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const mutation = fc.record<Mutation>({
    operation: fc.constantFrom<Operation>('flip', 'flip', 'cut', 'repeat', 'replace', 'insert', 'truncate', 'splice'),
    at: fc.nat({ max: 65_535 }),
    size: fc.nat({ max: 40 }),
    odd: fc.constantFrom(...ODD_BYTES),
    other: fc.constantFrom(...samples),
  });
  return fc
    .record({ sample: fc.constantFrom(...samples), mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }) })
    .map(({ sample, mutations }) => mutations.reduce(mutate, sample));
}
