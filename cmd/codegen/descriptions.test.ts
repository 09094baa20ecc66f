import { describe, expect, it } from '@jest/globals';
import { describeTypes } from './descriptions.ts';

const TYPES = {
  Inner: { fields: [{ name: 'kind' }, { name: 'size' }] },
  Outer: { fields: [{ name: 'kind', inline: [{ from: 'Inner' }] }, { name: 'size', inline: [{ from: 'Inner' }] }, { name: 'own' }] },
};

describe('describeTypes', () => {
  it('puts the texts to types and fields', () => {
    const { Inner } = describeTypes(TYPES, { Inner: { '': 'A type.', size: 'In bytes.' } });
    expect(Inner).toEqual({ description: 'A type.', fields: [{ name: 'kind' }, { name: 'size', description: 'In bytes.' }] });
  });

  it('describes a flattened field by its struct, unless its owner says it better', () => {
    const { Outer } = describeTypes(TYPES, { Inner: { kind: 'What it is.', size: 'In bytes.' }, Outer: { size: 'In pages.' } });
    expect(Outer?.fields).toMatchObject([{ description: 'What it is.' }, { description: 'In pages.' }, { name: 'own' }]);
  });

  it.each([{ Nothing: { '': 'x' } }, { Inner: { other: 'x' } }])('throws for the unknown name in %j', (descriptions) => {
    expect(() => describeTypes(TYPES, descriptions)).toThrow('which facts.json does not have');
  });

  it('throws for a text that would end the comment that it becomes', () => {
    expect(() => describeTypes(TYPES, { Inner: { size: 'Such as `*/5`.' } })).toThrow('the text of Inner size contains "*/"');
  });
});
