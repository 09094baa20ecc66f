import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { MAX_OPERATIONS, parseJsonPatch } from './parse-json-patch.ts';

const refusal = (text: string): readonly [string, string] => {
  try {
    parseJsonPatch(Buffer.from(text));
  } catch (error) {
    if (error instanceof StatusError) return [error.reason, error.message];
    throw error;
  }
  return ['', ''];
};

describe('parseJsonPatch', () => {
  it('reads operations and their members', () => {
    const text = `[{"op":"test","path":"","value":null},{"op":"add","path":"/a~1b","value":1.0},{"op":"remove","path":"/x","value":1},
      {"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"","path":"/"}]`;
    expect(parseJsonPatch(Buffer.from(text))).toEqual({
      operations: [
        { op: 'test', path: { text: '', tokens: [] }, value: null },
        { op: 'add', path: { text: '/a~1b', tokens: ['a/b'] }, value: new RawJson(Buffer.from('1.0')) },
        { op: 'remove', path: { text: '/x', tokens: ['x'] } },
        { op: 'move', from: { text: '/a', tokens: ['a'] }, path: { text: '/b', tokens: ['b'] } },
        { op: 'copy', from: { text: '', tokens: [] }, path: { text: '/', tokens: [''] } },
      ],
      findings: [],
    });
  });

  it('reads null as no operation, as Go does', () => {
    expect(parseJsonPatch(Buffer.from('null'))).toEqual({ operations: [], findings: [] });
  });

  it.each([
    ['', 'invalid JSON: the body is empty'],
    ['[', 'invalid JSON at line 1, column 2 (offset 1): unexpected end of the text'],
    ['{}', 'the JSON patch is not a list of operations'],
    ['[1]', 'the JSON patch has an operation that is not an object: [0]'],
    ['[{"op":"remove","path":"/a"},[]]', 'the JSON patch has an operation that is not an object: [1]'],
    ['[{"op":1}]', 'the JSON patch has a member that is not a string: [0].op'],
    ['[{"op":"remove","path":{}}]', 'the JSON patch has a member that is not a string: [0].path'],
    ['[{"op":"move","path":"/a","from":0}]', 'the JSON patch has a member that is not a string: [0].from'],
  ])('answers 400 to %s', (text, message) => {
    expect(refusal(text)).toEqual(['BadRequest', message]);
  });

  it.each([
    ['{"op":"add","path":"/a"}', 'operation [0] ("add" "/a"): it has no value'],
    ['{"op":"replace","path":"/a"}', 'operation [0] ("replace" "/a"): it has no value'],
    ['{"op":"test","path":"/a"}', 'operation [0] ("test" "/a"): it has no value'],
    ['{"op":"remove"}', 'operation [0] ("remove"): it has no path'],
    ['{"op":"remove","path":null}', 'operation [0] ("remove"): it has no path'],
    ['{"op":"move","path":"/a"}', 'operation [0] ("move" "/a"): it has no from'],
    ['{"op":"copy","path":"/a","from":"b"}', 'operation [0] ("copy" "/a" from "b"): its from does not start with a slash'],
    ['{"op":"remove","path":"a"}', 'operation [0] ("remove" "a"): its path does not start with a slash'],
    ['{"op":"ADD","path":"/a","value":1}', 'operation [0] ("ADD" "/a"): the operation is unknown'],
    ['{"op":"_get","path":"/a","value":1}', 'operation [0] ("_get" "/a"): the operation is unknown'],
    ['{"op":"toString","path":"/a","value":1}', 'operation [0] ("toString" "/a"): the operation is unknown'],
    ['{"path":"/a","value":1}', 'operation [0] ("/a"): the operation is unknown'],
    ['null', 'operation [0]: the operation is unknown'],
  ])('answers 422 to the operation %s', (operation, message) => {
    expect(refusal(`[${operation}]`)).toEqual(['Invalid', `the JSON patch cannot be applied: ${message}`]);
  });

  it('escapes control characters and shortens long paths', () => {
    expect(refusal(`[{"op":"remove","path":"a\\n${'x'.repeat(3000)}"}]`)[1]).toBe(
      `the JSON patch cannot be applied: operation [0] ("remove" "a\\n${'x'.repeat(198)}…"): its path does not start with a slash`,
    );
  });

  it('accepts ten thousand operations and answers 413 to more', () => {
    const operations = (count: number) => `[${Array.from({ length: count }, () => '{"op":"test","path":"","value":{}}').join(',')}]`;
    expect(parseJsonPatch(Buffer.from(operations(MAX_OPERATIONS))).operations).toHaveLength(10_000);
    expect(refusal(operations(MAX_OPERATIONS + 1))).toEqual([
      'RequestEntityTooLarge',
      'a JSON patch has at most 10000 operations, not 10001',
    ]);
  });

  it('reports unknown and repeated members', () => {
    const text = '[{"op":"test","path":"/x","path":"","value":{"a":1,"a":2,"b":1},"comment":1},{"op":"remove","path":"/a","Path":"/b"}]';
    const { operations, findings } = parseJsonPatch(Buffer.from(text));
    expect(operations[0]).toEqual({ op: 'test', path: { text: '', tokens: [] }, value: { a: 2, b: 1 } });
    expect(findings).toEqual([
      { kind: 'duplicate', path: '[0].path' },
      { kind: 'duplicate', path: '[0].value.a' },
      { kind: 'unknown', path: '[0].comment' },
      { kind: 'unknown', path: '[1].Path' },
    ]);
  });
});
