import { describe, expect, it } from '@jest/globals';
import { toRevision } from '../storage/backend.ts';
import type { CachedObject } from './watch-cache.ts';
import { createContextFreeRepresentation } from '../../test/support/context-free-representation.ts';
import { MemoryResponseWriter } from '../../test/support/memory-response-writer.ts';
import { createStampedRepresentation, stamped } from '../../test/support/stamped-representation.ts';
import { jsonOf, keyOf, itemEncodingOf } from '../../test/support/widgets.ts';
import { createUncachedPage } from './uncached-page.ts';

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
    itemBytes: Buffer.from(itemEncodingOf(jsonOf('a', name), i + 1)),
  };
});

describe('A page of objects from the backend', () => {
  it.each([0, 1, 200])('shows objects in another representation (%d objects)', async (count) => {
    const shown = objects.slice(0, count);
    const writer = new MemoryResponseWriter();
    const frame = {
      head: Buffer.from('['),
      tail: Buffer.from(']'),
      encoding: 'identity' as const,
      representation: createStampedRepresentation(() => 20),
    };
    await createUncachedPage({ objects: shown }).writeTo(writer, frame);
    expect(writer.bytes().toString()).toBe(`[${shown.map(({ itemBytes }) => stamped(itemBytes.toString(), 20)).join(',')}]`);
  });

  it.each([0, 200])('gives the head of a context-free representation the length of the items (%d objects)', async (count) => {
    const items = objects.slice(0, count);
    const writer = new MemoryResponseWriter();
    const head = (byteLength: number) => Buffer.from(`${byteLength}:`);
    await createUncachedPage({ objects: items }).writeTo(writer, {
      head,
      tail: Buffer.from('.'),
      encoding: 'identity',
      representation: createContextFreeRepresentation(),
    });
    const text = items.map(({ itemBytes }) => `<${itemBytes.toString()}>`).join('');
    expect(writer.bytes().toString()).toBe(`${text.length}:${text}.`);
  });

  it('stops when its reader is gone', async () => {
    const writer = new MemoryResponseWriter();
    writer.close();
    const frame = {
      head: Buffer.from('['),
      tail: Buffer.from(']'),
      encoding: 'identity',
      representation: createStampedRepresentation(() => 0),
    } as const;
    await createUncachedPage({ objects }).writeTo(writer, frame);
    expect(writer.writes).toEqual([]);
  });
});
