/** For any text, reading does not throw, and all values have positions. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { readSource } from './read-source.ts';
import type { SourceNode } from './source-node.ts';

/** YAML fragments, so that short random texts reach most rules. */
const BITS = [
  ...['a', 'b c', 'key', '5', '-1', '0x1F', 'yes', 'null', '~', '1e3', '.nan', '<<', 'http://x:80/y', 'a#b', 'a:b', 'é', '\u{1F600}'],
  ...['"q"', '"a b"', '"\\n\\"\\u0041"', '"', "'s'", "'it''s'", "'", '""', "''", '\\', ': ', ':', ':\n', '- ', '-', '-\n', '? ', ', '],
  ...[',', '[', ']', '{', '}', '[]', '{}', '{a: b}', '[a, "b"]', '"k":', '#', ' # c\n', '#c\n', '\n', '\n', ' ', '  ', '    ', '\t'],
  ...['\r\n', '\r', '---', '---\n', '\n---\n', '...\n', '%YAML 1.2\n', '&x ', '*x', '!t ', '!!str ', '|\n', '>-\n', '@', '`', '%'],
  ...['a: 1\n', '- a\n', '  b: 2\n', '  - c\n', 'k:\n', 'k: &x ', '- &x ', '? a', '\uFEFF'],
];

const folder = path.resolve(import.meta.dirname, '../../../examples/config');
const examples = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));

/** An example file with a part replaced by a fragment. */
const changedExample = fc
  .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...BITS))
  .map(([text, at, length, bit]) => text.slice(0, at % text.length) + bit + text.slice((at % text.length) + length));

function expectSpans(node: SourceNode, text: string): void {
  expect(0 <= node.start && node.start <= node.end && node.end <= text.length).toBe(true);
  const written = text.slice(node.start, node.end);
  if ('quote' in node && node.quote === '' && node.type === 'string' && !/[\r\n]/.test(written)) expect(written).toBe(node.text);
  if (node.type === 'list') for (const element of node.elements) expectSpans(element, text);
  if (node.type !== 'map') return;
  for (const { key, value } of node.entries) {
    if (key.quote === '') expect(text.slice(key.start, key.end).length).toBeGreaterThan(0);
    expectSpans(value, text);
  }
}

describe('reading any text', () => {
  it.each([
    ['of bits of YAML', fc.array(fc.constantFrom(...BITS), { maxLength: 20 }).map((bits) => bits.join(''))],
    ['that was a configuration', changedExample],
  ])(
    'returns values with positions, or an error: %s',
    (_what, texts) => {
      let read = 0;
      const runs = propertyRuns(1500);
      fc.assert(
        fc.property(texts, (text) => {
          const { documents, failures } = readSource(text);
          for (const { offset } of failures) expect(offset).toBeLessThanOrEqual(text.length);
          for (const { root } of documents) expectSpans(root, text);
          if (documents.length > 0) read++;
        }),
        runs,
      );
      expect(read / runs.numRuns).toBeGreaterThan(0.02);
    },
    propertyTimeoutMs,
  );

  it('counts lines and columns after a byte order mark', () => {
    const { documents, lineColumnOf } = readSource('\uFEFFa: 1\nb: 2');
    expect(documents).toMatchObject([{ root: { entries: [{ key: { text: 'a', start: 1 } }, { key: { text: 'b', start: 6 } }] } }]);
    expect([1, 6].map(lineColumnOf)).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
    ]);
  });
});
