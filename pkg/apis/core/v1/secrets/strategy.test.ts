import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { MAX_DATA_BYTES } from '../keyed-data.ts';

const KIND = 'Secret';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const ofType = (type: string, texts: Readonly<Record<string, string>> = {}): JsonObject => ({
  type,
  data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)])),
});

describe('A Secret', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it.each<[string, JsonObject, JsonObject]>([
    ['has the type Opaque unless it says another', {}, { type: 'Opaque' }],
    ['has the type Opaque for an empty one', { type: '' }, { type: 'Opaque' }],
    ['may have any type', { type: 'example.com/anything' }, { type: 'example.com/anything' }],
    ['keeps base64 as Go writes it', { data: { a: 'YR==', b: 'Y\r\nWI=' } }, { data: { a: 'YQ==', b: 'YWI=' } }],
  ])('%s', async (_, body, kept) => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    expect(object).toMatchObject(kept);
  });

  it.each<[string, JsonObject, JsonObject | undefined]>([
    ['data of its texts', { stringData: { a: 'ä\n', ['__proto__']: 'x' } }, { a: base64('ä\n'), ['__proto__']: base64('x') }],
    ['both when keys differ', { data: { a: 'YQ==' }, stringData: { b: 'b' } }, { a: 'YQ==', b: base64('b') }],
    ['the text where keys are the same', { data: { a: 'YQ==' }, stringData: { a: 'b' } }, { a: base64('b') }],
    ['an empty value of null', { stringData: { a: null } }, { a: '' }],
    ['nothing of an empty map', { stringData: {} }, undefined],
    ['data alone of an empty map', { stringData: {}, data: { a: '' } }, { a: '' }],
  ])('makes %s of stringData, which it does not keep', async (_, body, data) => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    expect(object).not.toHaveProperty('stringData');
    expect(object?.['data']).toEqual(data);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a key that is no file name', { data: { 'a/b': '' } }, ['Invalid data[a/b]']],
    ['such a key in stringData', { stringData: { '..': '' } }, ['Invalid data[..]']],
    ['a byte too many', { data: { a: base64(Buffer.alloc(MAX_DATA_BYTES - 2)) }, stringData: { b: 'ä1' } }, ['TooLong data']],
  ])('refuses %s', async (_, body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it('takes as many bytes as there may be', async () => {
    const body = { data: { a: base64(Buffer.alloc(MAX_DATA_BYTES - 2)) }, stringData: { b: 'ä' } };
    expect((await rules.create(KIND, body)).causes).toEqual([]);
  });

  const ACCOUNT = 'Required metadata.annotations[kubernetes.io/service-account.name]';
  it.each<[JsonObject, readonly string[]]>([
    [ofType('kubernetes.io/service-account-token'), [ACCOUNT]],
    [
      { ...ofType('kubernetes.io/service-account-token'), metadata: { annotations: { 'kubernetes.io/service-account.name': '' } } },
      [ACCOUNT],
    ],
    [{ ...ofType('kubernetes.io/service-account-token'), metadata: { annotations: { 'kubernetes.io/service-account.name': 'a' } } }, []],
    [ofType('kubernetes.io/dockercfg'), ['Required data[.dockercfg]']],
    [ofType('kubernetes.io/dockercfg', { '.dockercfg': '{' }), ['Invalid data[.dockercfg]']],
    [ofType('kubernetes.io/dockercfg', { '.dockercfg': '{}' }), []],
    [ofType('kubernetes.io/dockerconfigjson', { '.dockercfg': '{}' }), ['Required data[.dockerconfigjson]']],
    [ofType('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '[]' }), ['Invalid data[.dockerconfigjson]']],
    [ofType('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '{"auths":{}}' }), []],
    [ofType('kubernetes.io/basic-auth'), ['Required data[username]', 'Required data[password]']],
    [ofType('kubernetes.io/basic-auth', { username: '' }), []],
    [ofType('kubernetes.io/basic-auth', { password: '' }), []],
    [ofType('kubernetes.io/ssh-auth'), ['Required data[ssh-privatekey]']],
    [ofType('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }), ['Required data[ssh-privatekey]']],
    [ofType('kubernetes.io/ssh-auth', { 'ssh-privatekey': 'x' }), []],
    [ofType('kubernetes.io/tls'), ['Required data[tls.crt]', 'Required data[tls.key]']],
    [ofType('kubernetes.io/tls', { 'tls.crt': '' }), ['Required data[tls.key]']],
    [ofType('kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }), []],
    [ofType('bootstrap.kubernetes.io/token'), []],
  ])('has what its type needs: %j', async (body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it('does not show what a broken configuration of Docker holds', async () => {
    const { messages } = await rules.create(KIND, ofType('kubernetes.io/dockercfg', { '.dockercfg': '{"auth": secret}' }));
    expect(messages).toEqual({
      'data[.dockercfg]': 'Invalid value: "<secret contents redacted>": invalid character \'s\' looking for beginning of value',
    });
  });

  it('warns of a certificate without its key, but only where they must be', async () => {
    const pair = { 'tls.crt': 'x', 'tls.key': 'y' };
    const text = 'tls: failed to find any PEM data in certificate input';
    expect((await rules.create(KIND, ofType('kubernetes.io/tls', pair))).warnings).toEqual([text]);
    expect((await rules.update(KIND, ofType('kubernetes.io/tls', pair), ofType('kubernetes.io/tls', pair))).warnings).toEqual([text]);
    expect((await rules.create(KIND, ofType('Opaque', pair))).warnings).toEqual([]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['another', { type: 'a' }, ['Invalid type']],
    ['none, which means Opaque', {}, ['Invalid type']],
    ['the same', { type: 'b' }, []],
  ])('never changes its type, to %s', async (_, after, causes) => {
    expect((await rules.update(KIND, { type: 'b' }, after)).causes).toEqual(causes);
  });

  describe('that is immutable', () => {
    const before = { immutable: true, data: { a: 'YQ==' } };

    it.each<[string, JsonObject, readonly string[]]>([
      ['stay as it is', before, []],
      ['get labels', { ...before, metadata: { labels: { a: 'b' } } }, []],
      ['become mutable', { ...before, immutable: false }, ['Forbidden immutable']],
      ['get other data', { ...before, data: { a: '' } }, ['Forbidden data']],
      ['get other data as text', { ...before, stringData: { a: 'b' } }, ['Forbidden data']],
      ['get the same data as text', { immutable: true, stringData: { a: 'a' } }, []],
      ['lose everything', { data: {} }, ['Forbidden immutable', 'Forbidden data']],
    ])('may or may not %s', async (_, after, causes) => {
      expect((await rules.update(KIND, before, after)).causes).toEqual(causes);
    });

    it('tells empty data from none, as in Kubernetes', async () => {
      expect((await rules.update(KIND, { immutable: true }, { immutable: true, data: {} })).causes).toEqual(['Forbidden data']);
      expect((await rules.update(KIND, { immutable: true }, { immutable: true, stringData: {} })).causes).toEqual([]);
    });
  });
});
