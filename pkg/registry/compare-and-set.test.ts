import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CommitResult, NO_REVISION, type Write } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { decodeRecord } from '../storage/record.ts';
import { compareAndSet } from './compare-and-set.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';

const KEY = toKey('/coxswain/test');
const UNKNOWN: CommitResult = { outcome: 'unknown', cause: new Error('the reply was lost') };

describe('Compare and set', () => {
  let backend: MemoryBackend;
  beforeEach(() => {
    backend = new MemoryBackend();
  });
  const set = (content: object, ifRevision = NO_REVISION, commit = (write: Write) => backend.commit(write)) =>
    compareAndSet({ backend: { get: (key) => backend.get(key), commit }, random: randomBytes, key: KEY, ifRevision, content });
  const stored = async () => decodeRecord((await backend.get(KEY)).record?.value ?? Buffer.alloc(0))?.json.toString();

  it('writes JSON, and only over the revision that it is given', async () => {
    const first = await set({ n: 1 });
    expect([await set({ n: 2 }), await stored()]).toEqual([undefined, '{"n":1}']);
    expect(await set({ n: 2 }, first)).toBeGreaterThan(first ?? 0);
    expect(await stored()).toBe('{"n":2}');
  });

  it('knows its own write when the reply is lost', async () => {
    const revision = await set({ n: 1 }, NO_REVISION, async (write) => {
      await backend.commit(write);
      return UNKNOWN;
    });
    expect(revision).toBe((await backend.get(KEY)).record?.revision);
  });

  it('takes the write of another for none of its own, though it says the same', async () => {
    const meanwhile = async () => {
      await set({ n: 1 });
      return UNKNOWN;
    };
    expect(await set({ n: 1 }, NO_REVISION, meanwhile)).toBeUndefined();
    expect(await set({ n: 1 }, NO_REVISION, async () => UNKNOWN)).toBeUndefined();
  });
});
