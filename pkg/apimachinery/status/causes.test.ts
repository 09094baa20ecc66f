import { describe, expect, it } from '@jest/globals';
import { causesOfElements, duplicateValue, invalidValue, invalidWord, notFoundValue, notSupported, required } from './causes.ts';
import { FieldPath } from './field-path.ts';

const path = FieldPath.of('spec', 'a');

describe('Causes', () => {
  it('have the wording of Kubernetes', () => {
    expect([
      required(path),
      invalidValue(path, 'x', 'must be y'),
      notSupported(path, 'x', ['y', 'z']),
      duplicateValue(path, 9007199254740993n),
      notFoundValue(path, 'x'),
    ]).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
      { reason: 'FieldValueInvalid', message: 'Invalid value: "x": must be y', field: 'spec.a' },
      { reason: 'FieldValueNotSupported', message: 'Unsupported value: "x": supported values: "y", "z"', field: 'spec.a' },
      { reason: 'FieldValueDuplicate', message: 'Duplicate value: 9007199254740993', field: 'spec.a' },
      { reason: 'FieldValueNotFound', message: 'Not found: "x"', field: 'spec.a' },
    ]);
  });

  it('quote text as Go does, and words of a list as JSON', () => {
    expect(invalidValue(path, '<\u0000>', 'x').message).toBe('Invalid value: "<\\x00>": x');
    expect(invalidWord(path, '<\u0000>', 'x').message).toBe('Invalid value: "\\u003c\\u0000\\u003e": x');
    expect(notSupported(path, '&', ['y']).message).toBe('Unsupported value: "\\u0026": supported values: "y"');
  });

  it('show a list as JSON, and say more of what is not found', () => {
    expect(invalidValue(path, ['<', 'b'], 'x').message).toBe('Invalid value: ["\\u003c","b"]: x');
    expect(notFoundValue(path, 'a', 'one of b').message).toBe('Not found: "a": one of b');
  });

  it('show only the start of a long value', () => {
    expect(invalidValue(path, Array<string>(10_000).fill('x'), 'x').message).toHaveLength(1043);
    const { message } = invalidValue(path, 'x'.repeat(3_000_000), 'must be shorter');
    expect(message).toMatch(/^Invalid value: "x{1024}…": must be shorter$/);
  });

  it('of a list name each element, up to a limit', () => {
    const causes = causesOfElements(path, Array<string>(100_000).fill(''), (_, element) => [required(element.child('name'))]);
    expect(causes[1]?.field).toBe('spec.a[1].name');
    expect(causes).toHaveLength(1000);
    expect(causesOfElements(path, undefined, () => [required(path)])).toEqual([]);
  });
});
