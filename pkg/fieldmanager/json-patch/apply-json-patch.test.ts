import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { parseJsonPatch } from './parse-json-patch.ts';
import { MAX_COPIED_BYTES } from './patched-document.ts';

const parse = (text: string): JsonObject => {
  const { value } = parseJson(Buffer.from(text));
  if (!isJsonObject(value)) throw new Error('not an object');
  return value;
};

const patched = (document: JsonObject, patch: string): JsonValue => applyJsonPatch(document, parseJsonPatch(Buffer.from(patch)));

/** The result as text, or the error. */
const outcome = (document: JsonObject, patch: string): string => {
  try {
    return writeJson(patched(document, patch));
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message.replace('the JSON patch cannot be applied: ', '')}`;
    throw error;
  }
};

const rawData = (text: string): RawJson => new RawJson(Buffer.from(text));

describe('applyJsonPatch', () => {
  it.each([
    ['adds a member', '{"a":1}', '[{"op":"add","path":"/b","value":[]}]', '{"a":1,"b":[]}'],
    ['adds over a member', '{"a":1}', '[{"op":"add","path":"/a","value":null}]', '{"a":null}'],
    ['inserts an element', '{"l":[1,2]}', '[{"op":"add","path":"/l/1","value":9}]', '{"l":[1,9,2]}'],
    ['adds at the end', '{"l":[1,2]}', '[{"op":"add","path":"/l/-","value":9},{"op":"add","path":"/l/3","value":8}]', '{"l":[1,2,9,8]}'],
    ['counts from the end', '{"l":[1,2]}', '[{"op":"add","path":"/l/-2","value":9},{"op":"remove","path":"/l/-1"}]', '{"l":[1,9]}'],
    ['reads a number as name in objects', '{"o":{"0":1}}', '[{"op":"add","path":"/o/1","value":2}]', '{"o":{"0":1,"1":2}}'],
    ['removes', '{"a":1,"l":[1,2]}', '[{"op":"remove","path":"/a"},{"op":"remove","path":"/l/0"}]', '{"l":[2]}'],
    ['replaces', '{"a":1,"l":[1]}', '[{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/l/0","value":3}]', '{"a":2,"l":[3]}'],
    [
      'replaces the document',
      '{"a":1}',
      '[{"op":"replace","path":"","value":{"b":1}},{"op":"add","path":"/c","value":1}]',
      '{"b":1,"c":1}',
    ],
    ['even by a list', '{"a":1}', '[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/0","value":2}]', '[2,1]'],
    ['moves', '{"a":{"b":1},"c":{}}', '[{"op":"move","from":"/a/b","path":"/c/d"}]', '{"a":{},"c":{"d":1}}'],
    ['moves in a list', '{"l":[1,2,3]}', '[{"op":"move","from":"/l/0","path":"/l/2"}]', '{"l":[2,3,1]}'],
    ['copies', '{"a":[1]}', '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]', '{"a":[1],"b":[1,2]}'],
    ['copies into itself', '{"a":{"b":1}}', '[{"op":"copy","from":"/a","path":"/a/c"}]', '{"a":{"b":1,"c":{"b":1}}}'],
    ['escapes names', '{"a/b":1,"m~n":2}', '[{"op":"remove","path":"/a~1b"},{"op":"replace","path":"/m~0n","value":3}]', '{"m~n":3}'],
    ['knows an empty name', '{"":{"":1}}', '[{"op":"replace","path":"//","value":2}]', '{"":{"":2}}'],
    ['goes on after a test', '{"a":{"b":[1]}}', '[{"op":"test","path":"/a","value":{"b":[1]}},{"op":"remove","path":"/a"}]', '{}'],
    ['tests the document', '{"a":1,"b":2}', '[{"op":"test","path":"","value":{"b":2,"a":1}}]', '{"a":1,"b":2}'],
    ['tests a null in a list', '{"l":[null]}', '[{"op":"test","path":"/l/0","value":null}]', '{"l":[null]}'],
    ['tests a missing member as null', '{"a":{}}', '[{"op":"test","path":"/a/b","value":null}]', '{"a":{}}'],
    [
      'tests large integers',
      '{"a":9007199254740993}',
      '[{"op":"test","path":"/a","value":9007199254740993},{"op":"copy","from":"/a","path":"/b"}]',
      '{"a":9007199254740993,"b":9007199254740993}',
    ],
  ])('%s', (_, document, patch, expected) => {
    expect(outcome(parse(document), patch)).toBe(expected);
  });

  it.each([
    ['{"a":1}', '{"op":"remove","path":"/b"}', '("remove" "/b"): its path does not exist'],
    ['{"a":1}', '{"op":"replace","path":"/b","value":1}', '("replace" "/b"): its path does not exist'],
    ['{"a":1}', '{"op":"move","from":"/b","path":"/c"}', '("move" "/c" from "/b"): its from does not exist'],
    ['{"a":1}', '{"op":"copy","from":"/b","path":"/c"}', '("copy" "/c" from "/b"): its from does not exist'],
    ['{"a":1}', '{"op":"test","path":"/b","value":1}', '("test" "/b"): the value differs'],
    ['{"a":1}', '{"op":"test","path":"/b/c","value":null}', '("test" "/b/c"): its path does not exist'],
    ['{"l":[]}', '{"op":"test","path":"/l/0","value":null}', '("test" "/l/0"): its path does not exist'],
    ['{"l":[1]}', '{"op":"add","path":"/l/2","value":1}', '("add" "/l/2"): the index is out of range'],
    ['{"l":[1]}', '{"op":"add","path":"/l/x","value":1}', '("add" "/l/x"): the index is out of range'],
    ['{"l":[1]}', '{"op":"replace","path":"/l/1","value":1}', '("replace" "/l/1"): its path does not exist'],
    ['{"l":[1]}', '{"op":"replace","path":"/l/-","value":1}', '("replace" "/l/-"): its path does not exist'],
    ['{"l":[1]}', '{"op":"remove","path":"/l/length"}', '("remove" "/l/length"): its path does not exist'],
    ['{"a":1}', '{"op":"add","path":"","value":{}}', '("add" ""): it cannot apply to the whole document'],
    ['{"a":1}', '{"op":"remove","path":""}', '("remove" ""): it cannot apply to the whole document'],
    ['{"a":1}', '{"op":"move","from":"","path":"/a"}', '("move" "/a" from ""): it cannot apply to the whole document'],
    ['{"a":1}', '{"op":"copy","from":"","path":"/a"}', '("copy" "/a" from ""): its from does not exist'],
    ['{"a":1}', '{"op":"replace","path":"","value":1}', '("replace" ""): a document must be an object or a list'],
    [
      '{"a":{}}',
      '{"op":"move","from":"/a","path":"/a/b"}',
      '("move" "/a/b" from "/a"): its parent is missing, or is neither an object nor a list',
    ],
    ['{"a":"x"}', '{"op":"add","path":"/a/b","value":1}', '("add" "/a/b"): its parent is missing, or is neither an object nor a list'],
    ['{"a":null}', '{"op":"add","path":"/a/b","value":1}', '("add" "/a/b"): its parent is missing, or is neither an object nor a list'],
    ['{"a":1}', '{"op":"test","path":"/a","value":1.0}', '("test" "/a"): the value differs'],
    ['{"a":1}', '{"op":"test","path":"/a","value":"1"}', '("test" "/a"): the value differs'],
    ['{"a":9007199254740993}', '{"op":"test","path":"/a","value":9007199254740992}', '("test" "/a"): the value differs'],
    ['{"a":[1,2]}', '{"op":"test","path":"/a","value":[2,1]}', '("test" "/a"): the value differs'],
    ['{"a":[]}', '{"op":"test","path":"/a","value":{}}', '("test" "/a"): the value differs'],
    ['{"a":{"b":1}}', '{"op":"test","path":"/a","value":{}}', '("test" "/a"): the value differs'],
    ['{"a":{"b":null}}', '{"op":"test","path":"/a","value":{"c":null}}', '("test" "/a"): the value differs'],
  ])('answers %s with 422 to %s', (document, operation, message) => {
    expect(outcome(parse(document), `[${operation}]`)).toBe(`422 operation [0] ${message}`);
  });

  it('names the failed operation and has no causes', () => {
    const run = () => patched(parse('{}'), '[{"op":"add","path":"/a","value":1},{"op":"test","path":"/a","value":2}]');
    expect(run).toThrow(expect.objectContaining({ reason: 'Invalid', details: undefined }));
    expect(run).toThrow('the JSON patch cannot be applied: operation [1] ("test" "/a"): the value differs');
  });

  it('shares unchanged values, and modifies neither the document nor the patch', () => {
    const document = parse('{"a":{"b":[1,{"c":1}]},"d":{"e":{}}}');
    const before = writeJson(document);
    const patch = parseJsonPatch(
      Buffer.from(
        '[{"op":"add","path":"/a/n","value":{"x":[]}},{"op":"add","path":"/a/n/x/-","value":1},{"op":"replace","path":"/a/b/1/c","value":2}]',
      ),
    );
    const first = applyJsonPatch(document, patch);
    expect(writeJson(document)).toBe(before);
    expect(writeJson(first)).toBe('{"a":{"b":[1,{"c":2}],"n":{"x":[1]}},"d":{"e":{}}}');
    expect(isJsonObject(first) && first['d']).toBe(document['d']);
    expect(writeJson(applyJsonPatch(document, patch))).toBe(writeJson(first));
  });

  it('returns the same document when nothing changes', () => {
    const document = parse('{"a":1}');
    expect(patched(document, '[]')).toBe(document);
    expect(patched(document, '[{"op":"test","path":"/a","value":1}]')).toBe(document);
  });

  it('never shares a value between two paths that change later', () => {
    const patch = `[{"op":"add","path":"/a/x","value":{}},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/a/x/y","value":1},
      {"op":"add","path":"/b/x/z","value":2},{"op":"move","from":"/b","path":"/c"},{"op":"copy","from":"/c","path":"/b"},{"op":"remove","path":"/b/x"}]`;
    expect(outcome(parse('{"a":{}}'), patch)).toBe('{"a":{"x":{"y":1}},"c":{"x":{"z":2}},"b":{}}');
  });
});

describe('Reserved names such as __proto__', () => {
  it('are ordinary data in paths, values and documents', () => {
    const document = parse('{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"\\u0000__proto__":3}');
    const patch = `[{"op":"test","path":"/__proto__","value":{"a":1}},{"op":"add","path":"/__proto__/polluted","value":{"__proto__":1}},
      {"op":"replace","path":"/constructor/prototype/b","value":4},{"op":"copy","from":"/constructor","path":"/l"},
      {"op":"add","path":"/l/prototype/__proto__","value":[]},{"op":"move","from":"/__proto__","path":"/prototype"},
      {"op":"test","path":"","value":{"constructor":{"prototype":{"b":4}},"\\u0000__proto__":3,"l":{"prototype":{"b":4,"__proto__":[]}},
        "prototype":{"a":1,"polluted":{"__proto__":1}}}}]`;
    const result = patched(document, patch);
    expect(parse(writeJson(result))).toEqual(
      parse(
        `{"constructor":{"prototype":{"b":4}},"\\u0000__proto__":3,"l":{"prototype":{"b":4,"__proto__":[]}},"prototype":{"a":1,"polluted":{"__proto__":1}}}`,
      ),
    );
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    '{"op":"add","path":"/__proto__/x","value":1}',
    '{"op":"add","path":"/constructor/prototype/x","value":1}',
    '{"op":"add","path":"/a/constructor/prototype/x","value":1}',
    '{"op":"replace","path":"/__proto__","value":{"x":1}}',
    '{"op":"replace","path":"/toString","value":1}',
    '{"op":"remove","path":"/a/__proto__"}',
    '{"op":"copy","from":"/__proto__","path":"/b"}',
    '{"op":"move","from":"/a/constructor","path":"/b"}',
  ])('do not resolve when the document lacks them: %s', (operation) => {
    expect(outcome(parse('{"a":{},"l":[]}'), `[${operation}]`)).toMatch(/^422/);
    expect('x' in {}).toBe(false);
  });

  it('can be added', () => {
    const result = patched(
      parse('{"l":[]}'),
      '[{"op":"add","path":"/__proto__","value":{"x":1}},{"op":"add","path":"/toString","value":1}]',
    );
    expect(writeJson(result)).toBe('{"l":[],"__proto__":{"x":1},"toString":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect('x' in {}).toBe(false);
  });
});

describe('Raw values', () => {
  const document = { data: rawData('{"b":1.0,"a":[1e2,{"c":-0}],"big":9007199254740993}'), other: rawData('{"x":1.0}') };

  it('are unchanged by reads, comparisons and moves', () => {
    const patch = `[{"op":"test","path":"/data/a","value":[1e2,{"c":-0}]},{"op":"test","path":"/data/b","value":1.0},
      {"op":"test","path":"","value":{"other":{"x":1.0},"data":{"a":[1e2,{"c":-0}],"b":1.0,"big":9007199254740993}}},
      {"op":"copy","from":"/data/a/1/c","path":"/c"},{"op":"move","from":"/other","path":"/moved"},{"op":"copy","from":"/data","path":"/copied"}]`;
    const result = patched(document, patch);
    if (!isJsonObject(result)) throw new Error('not an object');
    expect([result['data'], result['moved'], result['copied']].map((value) => value === document.data || value === document.other)).toEqual(
      [true, true, true],
    );
    expect(writeJson(result['c'] ?? null)).toBe('-0');
  });

  it('keep number spellings next to a change', () => {
    const result = patched(document, '[{"op":"add","path":"/data/a/1/d","value":2.50},{"op":"remove","path":"/data/big"}]');
    expect(writeJson(result)).toBe('{"data":{"b":1.0,"a":[1e2,{"c":-0,"d":2.50}]},"other":{"x":1.0}}');
    expect(isJsonObject(result) && result['other']).toBe(document.other);
  });

  it.each([
    ['{"op":"test","path":"/data/b","value":1}', 'the value differs'],
    ['{"op":"test","path":"/data/a/0","value":100}', 'the value differs'],
    ['{"op":"add","path":"/data/b/x","value":1}', 'its parent is missing'],
    ['{"op":"remove","path":"/data/zzz"}', 'its path does not exist'],
  ])('are not changed by the failing %s', (operation, why) => {
    expect(outcome(document, `[${operation}]`)).toContain(why);
  });

  it('can be scalars', () => {
    const scalars = { s: rawData('"\\u0041"'), n: rawData('5'), t: rawData('true') };
    const patch =
      '[{"op":"test","path":"/s","value":"A"},{"op":"test","path":"/n","value":5},{"op":"test","path":"","value":{"s":"A","n":5,"t":true}}]';
    expect(patched(scalars, patch)).toBe(scalars);
  });
});

describe('The work of a JSON patch', () => {
  const repeated = (count: number, operation: string) => `[${Array.from({ length: count }, () => operation).join(',')}]`;
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('is bounded in the bytes that copies add', () => {
    const text = 'x'.repeat(MAX_COPIED_BYTES / 4 - 2);
    const copy = '{"op":"copy","from":"/a","path":"/b"}';
    expect(outcome({ a: text }, repeated(4, copy))).toHaveLength(2 * text.length + 15);
    expect(outcome({ a: text }, repeated(5, copy))).toBe(
      '422 operation [4] ("copy" "/b" from "/a"): the copies of the patch are larger than 3145728 bytes in total',
    );
    expect(outcome({ a: [text] }, repeated(100, '{"op":"copy","from":"/a","path":"/a/-"}'))).toContain('larger than 3145728 bytes');
  });

  it('is bounded in the list elements that are shifted', () => {
    const long = { l: new Array<number>(300_000).fill(1) };
    expect(outcome(long, repeated(1000, '{"op":"add","path":"/l/0","value":1}'))).toBe('413 the patch shifts too many list elements');
    expect(outcome(long, repeated(1000, '{"op":"remove","path":"/l/0"}'))).toBe('413 the patch shifts too many list elements');
    expect(patched(long, repeated(1000, '{"op":"add","path":"/l/-","value":1}'))).toHaveProperty('l.length', 301_000);
  });

  it('counts the members of an object once for all comparisons', () => {
    let listed = 0;
    const wide = new Proxy<JsonObject>(
      { a: 1, b: 2 },
      {
        ownKeys: (target) => {
          listed++;
          return Reflect.ownKeys(target);
        },
      },
    );
    expect(patched({ wide }, repeated(100, '{"op":"test","path":"/wide","value":{"a":1,"b":2}}'))).toEqual({ wide });
    expect(listed).toBeLessThanOrEqual(2);
    const changing =
      '[{"op":"test","path":"/o","value":{}},{"op":"add","path":"/o/a","value":1},{"op":"test","path":"/o","value":{"a":1}},';
    expect(outcome({ o: {} }, `${changing}{"op":"remove","path":"/o/a"},{"op":"test","path":"/o","value":{}}]`)).toBe('{"o":{}}');
  });

  it('is bounded in the depth of the result', () => {
    const deep = `{"op":"add","path":"/n","value":${nested(250)}}`;
    const into = (name: string) => `{"op":"move","from":"/${name}","path":"/n${'/0'.repeat(249)}/-"}`;
    expect(outcome({}, `[${deep}]`)).toContain(nested(250));
    const tooDeep = /^422 operation \[\d+\] .*: the result is nested deeper than 256 levels$/;
    expect(outcome({ a: [] }, `[${deep},${into('a')}]`)).toMatch(/^\{"n"/);
    expect(outcome(parse(`{"a":${nested(250)}}`), `[${deep},${into('a')}]`)).toMatch(tooDeep);
    const growing = Array.from({ length: 60 }, () => `${deep},${into('a')},{"op":"move","from":"/n","path":"/a"}`).join(',');
    expect(outcome({ a: [] }, `[${growing}]`)).toMatch(tooDeep);
    expect(outcome({ a: [] }, `[${growing},{"op":"copy","from":"/a","path":"/b"}]`)).toMatch(tooDeep);
    expect(outcome({ a: [] }, `[${growing},{"op":"add","path":"/__proto__","value":1}]`)).toMatch(tooDeep);
    expect(outcome({ a: [] }, `[${growing},{"op":"test","path":"/a","value":${nested(250)}}]`)).toContain('the value differs');
  });
});
