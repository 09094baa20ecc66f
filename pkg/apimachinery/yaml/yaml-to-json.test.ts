import { describe, expect, it } from '@jest/globals';
import { YamlError, yamlToJson } from './yaml-to-json.ts';

describe('YAML, read', () => {
  it.each([
    ['a: [yes, No, ON, off, y, N, True, FALSE]', '{"a":[true,false,true,false,true,false,true,false]}'],
    ['a: [~, null, Null, NULL, ]\nb:', '{"a":[null,null,null,null],"b":null}'],
    ['a: ["yes", \'1\', yess, nullx, ~x]', '{"a":["yes","1","yess","nullx","~x"]}'],
    ['[0x1F, 0777, 0o17, 0b101, -0x10, +5, 1_000, 089, -0]', '[31,511,15,5,-16,5,1000,89,-0]'],
    [`[0x${'f'.repeat(16)}, 0x${'f'.repeat(70)}, 0${'7'.repeat(70)}]`, `[18446744073709551615,"0x${'f'.repeat(70)}",${'7'.repeat(70)}]`],
    ['[1.0, 1e3, .5, -.5, 5., +1.50, 01.5, 1_0.5, 1E+2]', '[1.0,1e3,0.5,-0.5,5,1.50,1.5,10.5,1E+2]'],
    [
      '[9007199254740993, 18446744073709551615, 123456789012345678901234567890]',
      '[9007199254740993,18446744073709551615,123456789012345678901234567890]',
    ],
    ['[1e999, 1:30, 2026-01-02, 2026-01-02T03:04:05Z, 1.2.3, 0xZ, 1-2]', null],
    ['1: a\ntrue: b\nyes: c\n1.5: d\n2026-01-02: e', '{"1":"a","true":"b","true":"c","1.5":"d","2026-01-02":"e"}'],
    ['a: 1\na: 2', '{"a":1,"a":2}'],
    ['a: &x [1, {b: 2}]\nc: *x\nd: &x 3\ne: *x', '{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":3,"e":3}'],
    ['p: &p {a: 1, b: 2}\nq: {c: 3, b: 4, <<: *p}', '{"p":{"a":1,"b":2},"q":{"c":3,"b":4,"a":1}}'],
    ['p: &p {a: 1}\nq: &q {<<: *p, b: 2}\nr: {<<: [*q, {a: 9, c: 3}]}', '{"p":{"a":1},"q":{"a":1,"b":2},"r":{"b":2,"a":1,"c":3}}'],
    ['"<<": {a: 1}', '{"<<":{"a":1}}'],
    ['a: !!str 5\nb: !!int "7"\nc: ! 5\nd: !!float 1\ne: !!map {}\nf: !!seq []', '{"a":"5","b":7,"c":"5","d":1,"e":{},"f":[]}'],
    ['a: |\n  x\n  y\nb: >-\n  c\n  d\n', '{"a":"x\\ny\\n","b":"c d"}'],
    ['"\\u00e9\\x41\\t": "\\/"', '{"éA\\t":"/"}'],
    ['# only a comment', 'null'],
    ['', 'null'],
    ['a: 1\n---\nb: 2', '{"a":1}'],
    ['%YAML 1.1\n---\n[on]', '[true]'],
    ['\ufeffa: 1', '{"a":1}'],
    ['__proto__: {constructor: 1}', '{"__proto__":{"constructor":1}}'],
  ])('%j is %s', (yaml, json) => {
    if (json === null) expect(JSON.parse(yamlToJson(yaml))).toEqual(yaml.slice(1, -1).split(', '));
    else expect(yamlToJson(yaml)).toBe(json);
  });

  it.each([
    ['a: 1\n b: 2', 'line 1, column 4'],
    ['a:\n\tb: 1', 'line 2, column 1'],
    ['a: [1', 'line 1'],
    ['x: 1\nz: .inf', 'line 2, column 4: .inf has no form in JSON'],
    ['a: !mine 1', 'line 1, column 10: the tag !mine cannot be read'],
    ['a: !!binary aGk=', 'cannot be read'],
    ['a: !mine {b: 1}', 'cannot be read'],
    ['a: !!int x', 'cannot be read'],
    ['a: *b', 'line 1, column 4: unknown anchor "b"'],
    ['a: &a {b: *a}', 'contains itself'],
    ['? [a]\n: 1', 'a key must be'],
    ['~: 1', 'a key must be'],
    ['<<: 5', 'a merge key takes a map'],
    [`${'['.repeat(257)}${']'.repeat(257)}`, 'nested deeper than 256 levels'],
    ['['.repeat(20_000), 'nested deeper than 256 levels'],
  ])('is refused with the place of what is broken: %#', (yaml, message) => {
    let thrown: unknown;
    try {
      yamlToJson(yaml);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(YamlError);
    expect(thrown).toMatchObject({ message: expect.stringContaining(message) as unknown });
  });

  it('does not follow aliases without end', () => {
    const names = [...'abcdefghij'];
    const lists = names.map(
      (name, at) =>
        `${name}: &${name} [${Array(10)
          .fill(at === 0 ? 'x' : `*${names[at - 1] ?? ''}`)
          .join(', ')}]`,
    );
    expect(() => yamlToJson(lists.join('\n'))).toThrow('excessive aliasing');
    const merges = names.map(
      (name, at) =>
        `${name}: &${name} ${
          at === 0
            ? '{}'
            : `{<<: [${Array(10)
                .fill(`*${names[at - 1] ?? ''}`)
                .join(', ')}]}`
        }`,
    );
    expect(() => yamlToJson(merges.join('\n'))).toThrow('excessive aliasing');
  });
});
