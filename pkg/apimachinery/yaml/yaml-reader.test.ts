import { afterEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_YAML_LIMITS, YamlReader } from './yaml-reader.ts';

const readers: YamlReader[] = [];
function open(limits: Partial<typeof DEFAULT_YAML_LIMITS> = {}): (text: string) => Promise<string> {
  const reader = new YamlReader({ ...DEFAULT_YAML_LIMITS, ...limits });
  readers.push(reader);
  return async (text) => (await reader.toJson(Buffer.from(text))).toString();
}
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

const REFUSED = expect.objectContaining({ reason: 'BadRequest' });
/** Takes a second per 50,000. */
const slow = (commas: number) => `[${','.repeat(commas)}]`;

describe('The YAML reader', () => {
  it('reads several texts at a time, each to its own answer', async () => {
    const read = open();
    const texts = Array.from({ length: 20 }, (_, index) => `a: ${index}\n`);
    expect(await Promise.all(texts.map(read))).toEqual(texts.map((_, index) => `{"a":${index}}`));
  });

  it('gives JSON back byte for byte, without reading it as YAML', async () => {
    const json = ' {"a": 1.0, "b": [1E+2, "\\/"], "a": 9007199254740993}\n';
    expect(await open({ maxMs: 0 })(json)).toBe(json);
  });

  it('says where a text is broken, and goes on', async () => {
    const read = open();
    await expect(read('a: b: c')).rejects.toEqual(REFUSED);
    await expect(read('a: b: c')).rejects.toThrow('error converting YAML to JSON: yaml: line 1, column 4: ');
    await expect(read('{"a": 1')).rejects.toThrow('yaml: line 1');
    expect(await read('a: 1')).toBe('{"a":1}');
  });

  it('refuses what is not UTF-8', async () => {
    await expect(new YamlReader().toJson(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).rejects.toThrow('not UTF-8');
  });

  it('ends a text that takes too long, and reads those behind it', async () => {
    const read = open({ maxMs: 1000 });
    const [late, next] = await Promise.allSettled([read(slow(2_000_000)), read('b: 2')]);
    expect(late).toMatchObject({ status: 'rejected', reason: REFUSED });
    expect(next).toEqual({ status: 'fulfilled', value: '{"b":2}' });
  });

  it('gives no text the answer of one before it, that came when its time was over', async () => {
    const read = open({ maxMs: 1000 });
    await read('start: the thread');
    // Takes the thread about 100 ms, so it is not finished before the busy loop below starts.
    const readings = [read('- a\n'.repeat(20_000)), read('b: 2')];
    // Leaves the turn that received the first answer, because it would receive the second one too.
    await new Promise((resolve) => setImmediate(resolve));
    // The thread answers during this loop; after it, the timer fires before the answer arrives.
    for (const end = performance.now() + 1100; performance.now() < end;);
    const [late, next] = await Promise.allSettled(readings);
    expect(late).toMatchObject({ status: 'rejected', reason: REFUSED });
    expect(next).toEqual({ status: 'fulfilled', value: '{"b":2}' });
  });

  it('lets nobody wait for a text that was given up, whether or not it was being read', async () => {
    const reader = new YamlReader();
    readers.push(reader);
    const given = [new AbortController(), new AbortController()];
    const late = given.map(({ signal }) => reader.toJson(Buffer.from(slow(2_000_000)), signal));
    const next = reader.toJson(Buffer.from('b: 2'));
    for (const each of given) each.abort();
    const gone = reader.toJson(Buffer.from('c: 3'), AbortSignal.abort());
    for (const reading of await Promise.allSettled([...late, gone]))
      expect(reading).toMatchObject({ status: 'rejected', reason: { reason: 'Timeout' } });
    // Reading the two aborted texts would have taken `maxMs` each.
    const begun = performance.now();
    expect((await next).toString()).toBe('{"b":2}');
    expect(performance.now() - begun).toBeLessThan(DEFAULT_YAML_LIMITS.maxMs);
    for (const each of given) each.abort();
  });

  it('ends a text that takes too much memory', async () => {
    const read = open({ maxMegabytes: 20 });
    await expect(read(`a: &a x\nb:\n${'- *a\n'.repeat(200_000)}`)).rejects.toThrow('too much memory');
    expect(await read('a: 1')).toBe('{"a":1}');
  });

  it('starts anew after it was idle', async () => {
    const read = open({ idleMs: 0 });
    expect(await read('a: 1')).toBe('{"a":1}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await read('a: 2')).toBe('{"a":2}');
  });

  it('fails what it is reading when it is closed', async () => {
    const reader = new YamlReader();
    const readings = [reader.toJson(Buffer.from('a: 1')), reader.toJson(Buffer.from('b: 1'))];
    reader.close();
    for (const reading of await Promise.allSettled(readings))
      expect(reading).toMatchObject({ status: 'rejected', reason: { reason: 'ServiceUnavailable' } });
  });
});
