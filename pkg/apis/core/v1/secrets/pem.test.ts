import { describe, expect, it } from '@jest/globals';
import { pemBlocks } from './pem.ts';

const block = (type: string, base64 = 'YWJj\n') => `-----BEGIN ${type}-----\n${base64}-----END ${type}-----\n`;

// Computed with Go's pem.Decode.
const FOUND: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ['nothing', '', []],
  ['text', 'abc', []],
  ['one block', block('A'), ['A abc']],
  ['a block without an end of line', block('A').trimEnd(), ['A abc']],
  ['blocks with text between them', `x: y\n${block('A')}text\n${block('B B')}`, ['A abc', 'B B abc']],
  ['an empty block', '-----BEGIN A-----\n-----END A-----\n', ['A ']],
  ['line breaks of Windows', block('A').replaceAll('\n', '\r\n'), ['A abc']],
  ['spaces at the end of lines, and in the data', '-----BEGIN A----- \nYW Jj\t\n-----END A-----  \n', ['A abc']],
  ['headers', block('A', 'Proc-Type: 4\nB: c\n\nYWJj\n'), ['A abc']],
  ['headers without data, and nothing between', block('A', 'B: c\n') + block('C'), ['C abc']],
  ['an indented block', ` ${block('A')}`, []],
  ['data that is no base64, then a block', block('A', 'YW\n') + block('B'), ['B abc']],
  ['an end of another type, then a block', '-----BEGIN A-----\nYWJj\n-----END B-----\n' + block('C'), ['C abc']],
  ['a beginning without an end, then a block', '-----BEGIN A-----\nYWJj\n' + block('B'), ['B abc']],
  ['text behind the end', '-----BEGIN A-----\nYWJj\n-----END A-----x\n', []],
  ['a beginning without dashes', '-----BEGIN A\nYWJj\n-----END A-----\n', []],
];

describe('PEM', () => {
  it.each(FOUND)('is found in %s', (_, text, found) => {
    expect([...pemBlocks(Buffer.from(text))].map(({ type, bytes }) => `${type} ${bytes.toString()}`)).toEqual(found);
  });
});
