/** What only Secrets have: texts that are written and never read back, bytes in base64, a type to select by. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import type { Answer } from '../support/api.ts';
import { describeServer } from '../support/stores.ts';

const COLLECTION = '/api/v1/namespaces/secrets/secrets';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (name: string, members: object): object => ({ kind: 'Secret', apiVersion: 'v1', metadata: { name }, ...members });

/** `applier Apply {"f:data":…}`, in the order of their names. */
const owners = ({ metadata }: ApiObject): readonly string[] =>
  ((metadata['managedFields'] ?? []) as readonly { manager: string; operation: string; fieldsV1: unknown }[])
    .map(({ manager, operation, fieldsV1 }) => `${manager} ${operation} ${JSON.stringify(fieldsV1)}`)
    .sort();

describeServer('Secrets', (api) => {
  const patch = (name: string, type: string, body: unknown, query = ''): Promise<Answer> =>
    api.send('PATCH', `${COLLECTION}/${name}${query}`, { body: JSON.stringify(body), headers: { 'content-type': `application/${type}` } });
  const create = async (name: string, members: object) => (await api.post(COLLECTION, secret(name, members))).object();

  it.each([
    ['merge patch', 'merge-patch+json', { stringData: { a: 'new' } }],
    ['strategic merge patch', 'strategic-merge-patch+json', { stringData: { a: 'new' } }],
    ['JSON patch', 'json-patch+json', [{ op: 'add', path: '/stringData', value: { a: 'new' } }]],
  ])('take texts from a %s, which become data', async (what, type, body) => {
    const name = what.replaceAll(' ', '-').toLowerCase();
    await create(name, { data: { a: base64('old'), b: base64('kept') } });
    const patched = (await patch(name, type, body)).object();
    expect(patched).not.toHaveProperty('stringData');
    expect(patched['data']).toEqual({ a: base64('new'), b: base64('kept') });
    expect((await api.get(`${COLLECTION}/${name}`)).object()).toEqual(patched);
  });

  it('take texts from a PUT, over data of the same key', async () => {
    const { metadata } = await create('put', { stringData: { a: 'one' } });
    const replaced = await api.put(`${COLLECTION}/put`, {
      ...secret('put', { data: { a: '', b: '' }, stringData: { a: 'two' } }),
      metadata,
    });
    expect(replaced.object()['data']).toEqual({ a: base64('two'), b: '' });
  });

  it('give the keys of texts to whoever creates them as data, and to whoever applies them as texts', async () => {
    expect(owners(await create('owned', { stringData: { a: '1' } }))).toEqual([
      expect.stringMatching(/ Update \{"f:data":\{"\.":\{\},"f:a":\{\}\},"f:type":\{\}\}$/),
    ]);
    const config = (texts: object) => secret('applied', { stringData: texts });
    const applied = (await patch('applied', 'apply-patch+yaml', config({ a: '1', b: '2' }), '?fieldManager=applier')).object();
    expect(applied['data']).toEqual({ a: base64('1'), b: base64('2') });
    expect(owners(applied)).toEqual(['applier Apply {"f:stringData":{"f:a":{},"f:b":{}}}']);
    // What an apply no longer names stays: the applier owned the text alone.
    const again = (await patch('applied', 'apply-patch+yaml', config({ b: '3' }), '?fieldManager=applier')).object();
    expect(again['data']).toEqual({ a: base64('1'), b: base64('3') });
    expect(owners(again)).toEqual(['applier Apply {"f:stringData":{"f:b":{}}}']);
  });

  it.each([
    ['no base64', { a: '!' }],
    ['no padding', { a: 'YQ' }],
    ['a number', { a: 1 }],
    ['a byte too large', { a: [256] }],
  ])('are refused with 400 for data that is %s', async (_, data) => {
    const answer = await api.post(COLLECTION, secret('broken', { data }));
    expect([answer.code, answer.status().reason]).toEqual([400, 'BadRequest']);
  });

  it('take a list of bytes, as Go does', async () => {
    expect((await create('bytes', { data: { a: [104, 105] } }))['data']).toEqual({ a: base64('hi') });
  });

  describe('are selected by type', () => {
    beforeAll(async () => {
      await create('typed-a', { type: 'example.com/a' });
      await create('typed-b', { type: 'example.com/b' });
    });

    it.each([
      ['type=example.com/a', ['typed-a']],
      ['type==example.com/b,metadata.name=typed-b', ['typed-b']],
      ['type=example.com/c', []],
    ])('%s', async (selector, names) => {
      const { items } = (await api.get(`${COLLECTION}?fieldSelector=${encodeURIComponent(selector)}`)).list();
      expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    });

    it('but by no other field', async () => {
      expect((await api.get(`${COLLECTION}?fieldSelector=immutable%3Dtrue`)).code).toBe(400);
    });

    it('in a watch, which sees only what it selects', async () => {
      const watch = await api.watch(`${COLLECTION}?watch=1&fieldSelector=type%3Dexample.com%2Fwatched`);
      await create('unwatched', { type: 'example.com/other' });
      await create('watched', { type: 'example.com/watched' });
      const [event] = await watch.take(1);
      watch.close();
      expect(event?.object).toMatchObject({ metadata: { name: 'watched' } });
    });
  });

  it('warn of a certificate that does not fit its key', async () => {
    const answer = await api.post(COLLECTION, secret('tls', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a', 'tls.key': 'b' } }));
    expect([answer.code, answer.headers['warning']]).toEqual([201, '299 - "tls: failed to find any PEM data in certificate input"']);
  });
});
