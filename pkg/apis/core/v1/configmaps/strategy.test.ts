import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { MAX_DATA_BYTES } from '../keyed-data.ts';

const KIND = 'ConfigMap';
const HALF = MAX_DATA_BYTES / 2;
const bytes = (size: number) => Buffer.alloc(size).toString('base64');

describe('A ConfigMap', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it.each<[string, JsonObject, JsonObject]>([
    ['nothing', {}, {}],
    ['empty maps, which it does not keep', { data: {}, binaryData: {} }, {}],
    ['every kind of key', { data: { a: '', '.b': '1', 'C-d_e.f': '2', ['k'.repeat(253)]: '3' } }, {}],
    ['names that JavaScript has', { data: { ['__proto__']: 'x', constructor: 'y' } }, {}],
    ['null as an empty value', { data: { a: null }, binaryData: { b: null } }, { data: { a: '' }, binaryData: { b: '' } }],
    ['base64 in any spelling, as Go writes it', { binaryData: { a: 'YR==', b: 'Y\nWI=' } }, { binaryData: { a: 'YQ==', b: 'YWI=' } }],
    ['as many bytes as there may be', { data: { a: 'ä'.repeat(HALF / 2) }, binaryData: { b: bytes(HALF) } }, {}],
  ])('takes %s', async (_, body, kept) => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    const { data, binaryData } = { ...body, ...kept };
    const isEmpty = (value: unknown) => value === undefined || Object.keys(value as object).length === 0;
    expect(object?.['data']).toEqual(isEmpty(data) ? undefined : data);
    expect(object?.['binaryData']).toEqual(isEmpty(binaryData) ? undefined : binaryData);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a key with a space', { data: { 'a b': '' } }, ['Invalid data[a b]']],
    ['a key without a name', { data: { '': '' } }, ['Invalid data[]']],
    ['a key of another alphabet', { binaryData: { ä: '' } }, ['Invalid binaryData[ä]']],
    ['a key that is too long', { data: { ['k'.repeat(254)]: '' } }, [`Invalid data[${'k'.repeat(254)}]`]],
    ['the parent folder', { data: { '..': '' } }, ['Invalid data[..]']],
    ['a key in the parent folder', { binaryData: { '..a': '' } }, ['Invalid binaryData[..a]']],
    ['a key that is in both', { data: { a: '' }, binaryData: { a: '' } }, ['Invalid data[a]']],
    ['a byte too many', { data: { a: 'x'.repeat(HALF) }, binaryData: { b: bytes(HALF + 1) } }, ['TooLong []']],
    [
      'all of it at once',
      { data: { '': '', a: '' }, binaryData: { a: '', '.': '' } },
      ['Invalid data[]', 'Invalid data[a]', 'Invalid binaryData[.]'],
    ],
  ])('refuses %s', async (_, body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it('counts the bytes of a key, as Kubernetes does', async () => {
    const key = 'ä'.repeat(127);
    const { messages } = await rules.create(KIND, { data: { [key]: '' } });
    expect(messages[`data[${key}]`]).toContain('a valid config key');
    expect((await rules.create(KIND, { data: { [key]: '' } })).causes).toHaveLength(2);
  });

  describe('that is immutable', () => {
    const before = { immutable: true, data: { a: '1' }, binaryData: { b: 'YQ==' } };

    it.each<[string, JsonObject, readonly string[]]>([
      ['stay as it is', before, []],
      ['get labels', { ...before, metadata: { labels: { a: 'b' } } }, []],
      ['become mutable', { ...before, immutable: false }, ['Forbidden immutable']],
      ['lose the flag', { data: before.data, binaryData: before.binaryData }, ['Forbidden immutable']],
      ['get other data', { ...before, data: { a: '2' } }, ['Forbidden data']],
      ['get a key more', { ...before, data: { a: '1', c: '' } }, ['Forbidden data']],
      ['lose its data', { immutable: true }, ['Forbidden data', 'Forbidden binaryData']],
      ['get other bytes', { ...before, binaryData: { b: 'YWI=' } }, ['Forbidden binaryData']],
      ['get other spelling of the same bytes', { ...before, binaryData: { b: 'YR==' } }, []],
    ])('may or may not %s', async (_, after, causes) => {
      expect((await rules.update(KIND, before, after)).causes).toEqual(causes);
    });

    it('does not tell empty data from none, but does tell empty binaryData, as in Kubernetes', async () => {
      expect((await rules.update(KIND, { immutable: true }, { immutable: true, data: {} })).causes).toEqual([]);
      expect((await rules.update(KIND, { immutable: true }, { immutable: true, binaryData: {} })).causes).toEqual(['Forbidden binaryData']);
    });
  });

  it('may change and become immutable while it is not', async () => {
    const { causes, object } = await rules.update(KIND, { data: { a: '1' }, immutable: false }, { data: { a: '2' }, immutable: true });
    expect({ causes, data: object?.['data'], immutable: object?.['immutable'] }).toEqual({ causes: [], data: { a: '2' }, immutable: true });
  });
});
