/** Keys that servers write for each other, outside of resources: small JSON values changed by compare-and-set. */
import type { Backend, Revision } from '../storage/backend.ts';
import type { Key } from '../storage/keys.ts';
import { decodeRecord, encodeRecord } from '../storage/record.ts';

export interface CompareAndSet {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly random: (size: number) => Buffer;
  readonly key: Key;
  readonly ifRevision: Revision;
  /** Any value that JSON.stringify accepts. */
  readonly content: object;
}

const TOKEN_BYTES = 8;

/**
 * Returns the new revision, or undefined when the key does not hold this value. After a lost reply the write may still
 * arrive. Throws when it cannot be read back.
 */
export async function compareAndSet({ backend, random, key, ifRevision, content }: CompareAndSet): Promise<Revision | undefined> {
  const token = random(TOKEN_BYTES).toString('latin1');
  const result = await backend.commit({ key, ifRevision, value: encodeRecord({ token, json: Buffer.from(JSON.stringify(content)) }) });
  if (result.outcome === 'committed') return result.revision;
  if (result.outcome === 'mismatch') return undefined;
  // The reply was lost; the token identifies the writer.
  const { record } = await backend.get(key);
  return record !== undefined && decodeRecord(record.value)?.token === token ? record.revision : undefined;
}
