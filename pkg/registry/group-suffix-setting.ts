/** The group suffix is part of every key and object: with another suffix the store would look empty. */
import { type Backend, NO_REVISION } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { decodeRecord, encodeRecord } from '../storage/record.ts';

const SETTING_KEY = toKey('/coxswain/settings/group-suffix');

export interface GroupSuffixCheck {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly groupSuffix: string;
  readonly random: (size: number) => Buffer;
}

/** Writes the suffix on first start. Later returns a message for the operator when it differs. Throws StorageError. */
export async function checkGroupSuffix({ backend, groupSuffix, random }: GroupSuffixCheck): Promise<string | undefined> {
  const stored = (await backend.get(SETTING_KEY)).record;
  if (stored !== undefined) return difference(stored.value, groupSuffix);
  const value = encodeRecord({ token: random(8).toString('latin1'), json: Buffer.from(JSON.stringify({ groupSuffix })) });
  const result = await backend.commit({ key: SETTING_KEY, ifRevision: NO_REVISION, value });
  if (result.outcome === 'committed') return undefined;
  // Another server initialized the store, or the reply was lost.
  const now = (await backend.get(SETTING_KEY)).record;
  return now === undefined ? 'the group suffix could not be written to the store' : difference(now.value, groupSuffix);
}

function difference(value: Buffer, groupSuffix: string): string | undefined {
  const created = parseSuffix(decodeRecord(value)?.json);
  if (created === groupSuffix) return undefined;
  return `the store was created with --group-suffix=${created ?? '(unreadable)'}, this server was started with ${groupSuffix}: use the former, or another store`;
}

function parseSuffix(json: Buffer | undefined): string | undefined {
  if (json === undefined) return undefined;
  const setting: unknown = JSON.parse(json.toString('utf8'));
  if (typeof setting !== 'object' || setting === null || !('groupSuffix' in setting)) return undefined;
  return typeof setting.groupSuffix === 'string' ? setting.groupSuffix : undefined;
}
