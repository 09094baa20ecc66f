import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { toRevision } from '../storage/backend.ts';
import type { CachedObject } from '../watchcache/watch-cache.ts';
import { createBareForm } from '../../test/support/bare-form.ts';
import { MemorySink } from '../../test/support/memory-sink.ts';
import { createStampedForm, stamped } from '../../test/support/stamped-form.ts';
import { jsonOf, keyOf, listFormOf } from '../../test/support/widgets.ts';
import { createRecordPage } from './record-page.ts';

const objects = Array.from({ length: 200 }, (_, i): CachedObject => {
  const name = `w${i}`;
  return {
    key: keyOf('a', name),
    namespace: 'a',
    name,
    revision: toRevision(i + 1),
    uid: `uid-${name}`,
    labels: {},
    fields: undefined,
    listForm: Buffer.from(listFormOf(jsonOf('a', name), i + 1)),
  };
});

describe('A page from the backend', () => {
  it.each([
    ['identity', 0],
    ['identity', 1],
    ['identity', 200],
    ['gzip', 0],
    ['gzip', 200],
  ] as const)('shows objects in a derived form (%s, %d objects)', async (encoding, count) => {
    const shown = objects.slice(0, count);
    const sink = new MemorySink();
    const frame = { head: Buffer.from('['), tail: Buffer.from(']'), encoding, form: createStampedForm(() => 20) };
    await createRecordPage({ objects: shown }).writeTo(sink, frame);
    const bytes = encoding === 'gzip' ? gunzipSync(sink.bytes()) : sink.bytes();
    expect(bytes.toString()).toBe(`[${shown.map(({ listForm }) => stamped(listForm.toString(), 20)).join(',')}]`);
  });

  it.each([
    ['identity', 0],
    ['identity', 200],
    ['gzip', 200],
  ] as const)('tells a form that is bare how long its objects are (%s, %d objects)', async (encoding, count) => {
    const items = objects.slice(0, count);
    const sink = new MemorySink();
    const head = (byteLength: number) => Buffer.from(`${byteLength}:`);
    await createRecordPage({ objects: items }).writeTo(sink, { head, tail: Buffer.from('.'), encoding, form: createBareForm() });
    const text = items.map(({ listForm }) => `<${listForm.toString()}>`).join('');
    expect((encoding === 'gzip' ? gunzipSync(sink.bytes()) : sink.bytes()).toString()).toBe(`${text.length}:${text}.`);
  });

  it('stops when its reader is gone', async () => {
    const sink = new MemorySink();
    sink.close();
    const frame = { head: Buffer.from('['), tail: Buffer.from(']'), encoding: 'identity', form: createStampedForm(() => 0) } as const;
    await createRecordPage({ objects }).writeTo(sink, frame);
    expect(sink.writes).toEqual([]);
  });
});
