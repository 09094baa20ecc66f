/** Opens a store after its writer is gone, and looks for everything that was acknowledged. */
import { expect } from '@jest/globals';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { NO_REVISION, toRevision, type RevisedChange, type Revision } from '../../pkg/storage/backend.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { keyText, toKey } from '../../pkg/storage/keys.ts';
import type { Acknowledgement } from './run-writer.ts';
import { testValue } from './test-value.ts';

/** Everything acknowledged stands at its revision, byte for byte; the log has no hole; revisions go on. */
export async function expectAllThere(dir: string, acknowledged: readonly Acknowledgement[]): Promise<void> {
  const backend = await openEmbeddedBackend({ dir, clock: systemClock });
  try {
    const newest = await backend.currentRevision();
    const { oldestRevision } = await backend.status();
    const changes: RevisedChange[] = [];
    const abort = new AbortController();
    for await (const batch of backend.watch({ from: oldestRevision, signal: abort.signal })) {
      changes.push(...batch.changes);
      if (batch.revision >= newest) abort.abort();
    }
    expect(changes.map(({ revision }) => revision)).toEqual(Array.from(changes, (_, i) => oldestRevision + 1 + i));
    const byRevision = new Map<number, RevisedChange>(changes.map((change) => [change.revision, change]));
    const heads = new Map<string, RevisedChange>(changes.map((change) => [change.key, change]));
    const wrong = acknowledged.filter((ack) => !isAsWritten(byRevision.get(ack.revision), ack));
    expect(wrong).toEqual([]);

    const { records } = await backend.range({ start: toKey('/'), end: toKey('0'), limit: 1_000_000, maxBytes: 1 << 30 });
    const living = [...heads.values()].filter(({ record }) => record !== undefined);
    expect(new Map(records.map(({ key, revision }) => [key, revision]))).toEqual(
      new Map(living.map(({ key, revision }) => [key, revision])),
    );

    const next = await backend.commit({ key: toKey('/after'), ifRevision: headOf(heads, '/after'), value: Buffer.from('x') });
    expect(next).toEqual({ outcome: 'committed', revision: newest + 1 });
  } finally {
    await backend.close();
  }
}

const headOf = (heads: ReadonlyMap<string, RevisedChange>, key: string): Revision =>
  toRevision(heads.get(toKey(key))?.record?.revision ?? NO_REVISION);

function isAsWritten(change: RevisedChange | undefined, { key, length, seed }: Acknowledgement): boolean {
  if (change === undefined || keyText(change.key) !== key) return false;
  if (length === -1) return change.record === undefined;
  return change.record?.value.equals(testValue(length, seed)) === true;
}
