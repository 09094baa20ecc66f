import { describe, expect, it } from '@jest/globals';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { jsonOf, keyOf, itemEncodingOf, widgets } from '../../test/support/widgets.ts';
import { silentLog } from '../observability/logging.ts';
import { NO_REVISION, type RangePage, type RangeQuery } from '../storage/backend.ts';
import { fillChunks } from './fill.ts';
import { Arena } from './store/arena.ts';
import { EntryFactory } from './store/entry-factory.ts';

/** Like a store that reads into given memory. */
class FrugalBackend extends FakeBackend {
  override async range(query: RangeQuery): Promise<RangePage> {
    const page = await super.range(query);
    const memory = query.memory?.take(page.records.reduce((sum, { value }) => sum + value.byteLength, 0));
    let end = 0;
    const records = page.records.map((record) => {
      if (memory === undefined) return record;
      const start = end;
      end += record.value.copy(memory, start);
      return { ...record, value: memory.subarray(start, end) };
    });
    return { ...page, records };
  }
}

describe('A fill', () => {
  it('returns all stored objects, although pages reuse memory', async () => {
    const backend = new FrugalBackend();
    const nameOf = (n: number) => `w${String(n).padStart(5, '0')}`;
    const expected: string[] = [];
    for (let n = 0; n < 4321; n++) {
      const json = jsonOf('a', nameOf(n), {}, { pad: nameOf(n).repeat(n % 40) });
      backend.put(keyOf('a', nameOf(n)), json);
      expected.push(itemEncodingOf(json, backend.revision));
    }
    const { chunks, byKey } = await fillChunks({
      backend,
      prefix: widgets.prefix,
      entries: new EntryFactory(widgets, new Arena(), silentLog),
      revision: NO_REVISION,
      signal: new AbortController().signal,
    });
    expect(chunks.flatMap((chunk) => chunk.entries.map(({ itemBytes }) => itemBytes.toString()))).toEqual(expected);
    expect(chunks.map((chunk) => chunk.pack()?.toString()).join('')).toBe(expected.map((text) => `,${text}`).join(''));
    expect(byKey.size).toBe(4321);
  });
});
