import { describe, expect, it } from '@jest/globals';
import type { Facts, FieldFacts, Model } from './facts.ts';
import { generateShapes } from './shapes.ts';

const FIELD: FieldFacts = {
  name: 'count',
  goName: 'Count',
  type: 'integer',
  format: 'int64',
  required: false,
  requiredBy: '',
  omit: 'empty',
};

/** The generated line for a struct's only field. */
function lineOf(more: Partial<FieldFacts>): string {
  const fields: readonly FieldFacts[] = [{ ...FIELD, ...more }];
  const model: Model = { model: 'a.v1.A', shortName: 'v1.A', typeName: 'A', folder: 'a/v1', shape: 'object', fields };
  const facts: Facts = {
    files: [{ folder: 'a/v1', types: { [model.model]: model } }],
    modelOf: () => model,
    modelsIn: () => [model],
  };
  const [file] = generateShapes(facts);
  return file?.text.split('\n').find((line) => line.includes("name: 'count'")) ?? '';
}

describe('the shape of a field', () => {
  it('has its number in protobuf, behind those of what it is embedded in', () => {
    expect(lineOf({ protobuf: { number: 3, label: 'optional', type: 'int64' } })).toContain('wire: [3]');
    expect(
      lineOf({ protobuf: { number: 3, label: 'optional', type: 'int64' }, inline: [{ from: 'B', protobuf: { number: 2 } }] }),
    ).toContain('wire: [2, 3]');
  });

  it('has none when it is not in the message', () => {
    expect(lineOf({ protobuf: null })).not.toContain('wire');
    expect(lineOf({})).not.toContain('wire');
    expect(lineOf({ protobuf: { number: 1, label: 'optional', type: 'int64' }, inline: [{ from: 'B', protobuf: null }] })).not.toContain(
      'wire',
    );
  });

  it('is refused when its protobuf type is none that a shape has', () => {
    expect(() => lineOf({ protobuf: { number: 3, label: 'optional', type: 'uint64' } })).toThrow('field count is uint64 in protobuf');
    expect(() => lineOf({ type: 'string', protobuf: { number: 3, label: 'optional', type: 'bytes' }, format: 'quantity' })).toThrow(
      'bytes',
    );
    expect(() => lineOf({ type: 'number', format: 'double', protobuf: { number: 3, label: 'optional', type: 'double' } })).toThrow(
      'double',
    );
    expect(() =>
      lineOf({ type: 'map', values: { type: 'string' }, protobuf: { number: 3, label: 'map', type: 'string', keyType: 'int32' } }),
    ).toThrow('the keys of count are not strings');
  });
});
