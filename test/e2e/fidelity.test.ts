/** Numbers and bytes that must survive. */
import { describe, expect, it } from '@jest/globals';
import { CONTROLLER_REVISION, CRON_JOB, collectionPath } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';

const namespace = 'fidelity';
const revisions = collectionPath(CONTROLLER_REVISION, namespace);
const revision = (name: string, data: string, rest = '') =>
  `{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"${name}"},"data":${data},"revision":1${rest}}`;

describeServer('Fidelity', (api) => {
  const stored = async (name: string, body: string): Promise<string> => {
    const answer = await api.send('POST', revisions, { body });
    expect(answer.code).toBe(201);
    const read = await api.get(`${revisions}/${name}`);
    expect(read.text.trim()).toBe(answer.text.trim());
    return read.text;
  };

  describe('ControllerRevision data', () => {
    it.each([
      ['64-bit-integers', '{"a":9007199254740993,"b":-9223372036854775808,"c":123456789012345678901234567890}'],
      ['number-forms', '{"a":1.0,"b":-0,"c":1e2,"d":1E+400,"e":0.1000}'],
      ['key-order', '{"b":1,"10":2,"a":3,"1":4}'],
      ['escapes', String.raw`{"a":"\u0041\/\ud800","b":"\u00e9é"}`],
      ['prototype-keys', '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}},"toString":null}'],
      ['empty', '{}'],
    ])('is kept token for token: %s', async (name, data) => {
      expect(await stored(name, revision(name, data))).toContain(`"data":${data}`);
    });

    it('loses white space between its tokens and nothing else', async () => {
      const text = await stored('spaces', revision('spaces', '{ "a" : [ 1.0 ,\n "x  y" ] }'));
      expect(text).toContain('"data":{"a":[1.0,"x  y"]}');
    });

    it('may nest braces and quotes inside strings', async () => {
      const data = String.raw`{"a":"}{\"]\\","data":{"data":"x"}}`;
      expect(await stored('nested', revision('nested', data))).toContain(`"data":${data}`);
    });

    it('is the same in a list and in a watch', async () => {
      const data = '{"n":9007199254740993,"z":1.0}';
      const from = (await api.get(revisions)).list().metadata.resourceVersion;
      await stored('everywhere', revision('everywhere', data));
      expect((await api.get(revisions)).text).toContain(`"data":${data}`);
      const response = await fetch(`${api.baseUrl}${revisions}?watch=true&timeoutSeconds=1&resourceVersion=${from}`);
      expect(await response.text()).toContain(`"data":${data}`);
    });

    it('counts as changed when only a digit beyond 2^53 differs', async () => {
      const text = await stored('digit', revision('digit', '{"n":9007199254740993}'));
      const answer = await api.send('PUT', `${revisions}/digit`, { body: text.replace('9007199254740993', '9007199254740992') });
      expect(answer.code).toBe(422);
    });

    it('counts as the same when only white space differs', async () => {
      const text = await stored('blank', revision('blank', '{"n":1}'));
      const answer = await api.send('PUT', `${revisions}/blank`, { body: text.replace('{"n":1}', '{ "n": 1 }') });
      expect(answer.code).toBe(200);
    });

    it.each(['null', '[]', '"x"', '7'])('is refused when it is no object: %s', async (data) => {
      const answer = await api.send('POST', revisions, { body: revision('none', data) });
      expect([400, 422]).toContain(answer.code);
      expect(answer.text).toContain('data');
    });
  });

  it('keeps 64-bit integers outside data', async () => {
    const collection = collectionPath(CRON_JOB, namespace);
    const member = '"activeDeadlineSeconds":9007199254740993';
    const body = JSON.stringify(CRON_JOB.sample('int64', namespace)).replace('"jobTemplate":{"spec":{', `$&${member},`);
    const answer = await api.send('POST', collection, { body });
    expect(answer.code).toBe(201);
    expect(answer.text).toContain(member);
    const again = await api.send('PUT', `${collection}/int64`, { body: answer.text.replace('"schedule":"*/5', '"schedule":"*/6') });
    expect(again.code).toBe(200);
    expect((await api.get(`${collection}/int64`)).text).toContain(member);
  });

  it('keeps the revision of a ControllerRevision to the last digit', async () => {
    const body = revision('big', '{}').replace('"revision":1', '"revision":9223372036854775807');
    expect(await stored('big', body)).toContain('"revision":9223372036854775807');
  });

  it('takes __proto__ and its kin as label and annotation keys or refuses them, and never as more', async () => {
    const body = revision('proto', '{}').replace(
      '"name":"proto"',
      '"name":"proto","annotations":{"__proto__":"a","constructor":"b","toString":"c"}',
    );
    const answer = await api.send('POST', revisions, { body });
    if (answer.code === 201) expect(answer.text).toContain('"constructor":"b"');
    else expect(answer.status()).toMatchObject({ code: 422, reason: 'Invalid' });
    const plain = (await api.post(revisions, CONTROLLER_REVISION.sample('unharmed', namespace))).object();
    expect(plain.metadata.annotations).toBeUndefined();
  });

  it('keeps characters of every plane, in values and across chunks', async () => {
    const note = '✓ é ü 漢字 𝒳 🎉 \u2028'.repeat(500);
    const sample = CONTROLLER_REVISION.sample('unicode', namespace);
    await api.post(revisions, { ...sample, metadata: { ...sample.metadata, annotations: { note } } });
    expect((await api.get(`${revisions}/unicode`)).object().metadata.annotations).toEqual({ note });
  });
});
