import { describe, expect, it } from '@jest/globals';
import { fieldElement, indexElement, keyElement, parsePathElement, valueElement } from './path-element.ts';

describe('a path element', () => {
  it.each([
    ['a field', fieldElement('a.b/c d'), 'f:a.b/c d'],
    ['a field without a name', fieldElement(''), 'f:'],
    ['a position', indexElement(12), 'i:12'],
    ['a value', valueElement('x'), 'v:"x"'],
    ['no keys', keyElement([]), 'k:{}'],
    [
      'keys in the order of their names',
      keyElement([
        { name: 'protocol', value: 'TCP' },
        { name: 'containerPort', value: 80 },
      ]),
      'k:{"containerPort":80,"protocol":"TCP"}',
    ],
    ['a text that HTML would mind', valueElement('<&>\u2028'), 'v:"\\u003c\\u0026\\u003e\\u2028"'],
    ['control characters', valueElement('\b\f\n\r\t\u0001\u007f'), 'v:"\\u0008\\u000c\\n\\r\\t\\u0001\u007f"'],
    ['a name of a key that HTML would mind', keyElement([{ name: '<"\\', value: '<"\\' }]), 'k:{"<\\"\\\\":"\\u003c\\"\\\\"}'],
    ['an integer that no double holds', valueElement(9007199254740993n), 'v:9007199254740992'],
    ['a small number', valueElement(1e-7), 'v:1e-07'],
    ['a large number', valueElement(1e21), 'v:1e+21'],
    ['zero', valueElement(-0), 'v:0'],
    ['members in the order of their names', valueElement({ b: [true, null], a: { '<': 1 } }), 'v:{"a":{"\\u003c":1},"b":[true,null]}'],
    ['names of Object.prototype', keyElement([{ name: '__proto__', value: 1 }]), 'k:{"__proto__":1}'],
  ])('is spelled for %s', (_, element, text) => {
    expect(element).toBe(text);
    expect(parsePathElement(text)).toBe(text);
  });

  it.each([
    ['v: "a" ', 'v:"a"'],
    ['v:1.0', 'v:1'],
    ['v:-0', 'v:0'],
    ['v:1e2', 'v:100'],
    ['v:"\\u0061\\/"', 'v:"a/"'],
    ['v:"<"', 'v:"\\u003c"'],
    ['v:"\\ud800"', 'v:"\ufffd"'],
    ['k:{"b":1,"a":"x"}', 'k:{"a":"x","b":1}'],
    ['k: { "b" : 1.0 } ', 'k:{"b":1}'],
    ['k:{"__proto__":{},"a":1}', 'k:{"__proto__":{},"a":1}'],
    ['k:null', 'k:{}'],
    ['k:{"b":"10","a":"9","1":"x"}', 'k:{"1":"x","a":"9","b":"10"}'],
    ['i:007', 'i:7'],
    ['i:+3', 'i:3'],
    ['i:-1', 'i:-1'],
    ['i:9223372036854775807', 'i:9223372036854775807'],
    ['f:f:x', 'f:f:x'],
  ])('is parsed from %s as %s', (text, canonical) => {
    expect(parsePathElement(text)).toBe(canonical);
  });

  it('of unknown type is skipped', () => {
    expect(parsePathElement('x:anything')).toBe('unknown');
    expect(parsePathElement('::')).toBe('unknown');
  });

  it.each([
    '',
    'f',
    'fx',
    '1',
    '.',
    'é:',
    'i:',
    'i:x',
    'i: 1',
    'i:1.5',
    'i:9223372036854775808',
    `i:${'0'.repeat(1000)}1`,
    'v:',
    'v:{',
    'v:01',
    'v:+1',
    'v:.5',
    'v:1e400',
    "v:'a'",
    'v:"a',
    'v:"a"b',
    'k:',
    'k:[]',
    'k:1',
    'k:{a:1}',
    'k:{"a"}',
    'k:{"a":1}x',
    `v:${'['.repeat(100_000)}`,
    `v:${'['.repeat(1000)}${']'.repeat(1000)}`,
  ])('is rejected for %.20s', (text) => {
    expect(parsePathElement(text)).toBeUndefined();
  });

  it('distinguishes names with similar escapes', () => {
    expect(parsePathElement('k:{"\\u0001":".","\\\\":1}')).toBe('k:{"\\u0001":".","\\\\":1}');
    expect(parsePathElement('k:{"\\u0001":".","\\"":1}')).toBe('k:{"\\u0001":".","\\"":1}');
  });
});
