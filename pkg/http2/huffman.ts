/** Strings in HPACK's Huffman code (RFC 7541 §5.2). */
import { ERROR_CODE, ProtocolError } from './frames.ts';
import { HUFFMAN_BITS } from './hpack-tables.ts';

const END_OF_STRING = 256;
const MAX_PADDING_BITS = 7;

/** The code as a tree: a node is two entries, each the index of the next node, or a symbol as `-1 - symbol`. */
function createTree(): readonly number[] {
  const lengths = Array.from(HUFFMAN_BITS, (digit) => Number.parseInt(digit, 36));
  const order = Array.from(lengths.keys()).toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const tree = [0, 0];
  let code = 0;
  let previous = 0;
  for (const symbol of order) {
    const length = lengths[symbol] ?? 0;
    code *= 2 ** (length - previous);
    previous = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const at = node + ((code >>> bit) & 1);
      node = tree[at] ?? 0;
      if (node === 0) {
        node = tree.push(0, 0) - 2;
        tree[at] = node;
      }
    }
    tree[node + (code & 1)] = -1 - symbol;
    code++;
  }
  return tree;
}

const TREE = createTree();

/** Throws ProtocolError when the code is invalid. */
export function decodeHuffman(buffer: Buffer, start: number, end: number): string {
  const symbols: number[] = [];
  let node = 0;
  let depth = 0;
  let onlyOnes = true;
  for (let at = start; at < end; at++) {
    const byte = buffer.readUInt8(at);
    for (let shift = 7; shift >= 0; shift--) {
      const bit = (byte >>> shift) & 1;
      const next = TREE[node + bit] ?? 0;
      if (next >= 0) {
        node = next;
        depth++;
        onlyOnes &&= bit === 1;
        continue;
      }
      if (next === -1 - END_OF_STRING)
        throw new ProtocolError(ERROR_CODE.compressionError, 'a Huffman code contains the end-of-string symbol');
      symbols.push(-1 - next);
      node = 0;
      depth = 0;
      onlyOnes = true;
    }
  }
  if (depth > MAX_PADDING_BITS || !onlyOnes) throw new ProtocolError(ERROR_CODE.compressionError, 'a Huffman code ends within a symbol');
  return Buffer.from(symbols).toString('latin1');
}
