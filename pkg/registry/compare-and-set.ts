/** Keys that servers write for one another, outside every resource: small JSON, by compare-and-set. */
import type { Backend, Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { decodeRecord, encodeRecord } from '../storage/record.ts';

export interface CompareAndSet {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly random: (size: number) => Buffer;
  readonly key: Key;
  readonly ifRevision: Revision;
  /** What JSON.stringify takes. */
  readonly content: object;
}

const TOKEN_BYTES = 8;

/** The new revision. Undefined: another has written or deleted the key. Throws when nothing is known. */
export async function compareAndSet({ backend, random, key, ifRevision, content }: CompareAndSet): Promise<Revision | undefined> {
  const token = random(TOKEN_BYTES).toString('latin1');
  const result = await backend.commit({ key, ifRevision, value: encodeRecord({ token, json: Buffer.from(JSON.stringify(content)) }) });
  if (result.outcome === 'committed') return result.revision;
  if (result.outcome === 'mismatch') return undefined;
  // The reply was lost: the token says whose write is there.
  const { record } = await backend.get(key);
  return record !== undefined && decodeRecord(record.value)?.token === token ? record.revision : undefined;
}
