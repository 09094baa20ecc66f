/** A value of the store itself, outside the API: written by the first server, the same for all servers. */
import { type Backend, NO_REVISION } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { decodeRecord, encodeRecord } from '../storage/record.ts';

export interface SettingOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** A path segment. */
  readonly name: string;
  readonly random: (size: number) => Buffer;
}

/**
 * The stored value; on first start, the result of `create`. Undefined if it cannot be read as an object with this
 * member, or could not be written. Throws StorageError.
 */
export async function openSetting(
  options: SettingOptions,
  member: string,
  create: () => Promise<string> | string,
): Promise<string | undefined> {
  const { backend, name, random } = options;
  const key = toKey(`/coxswain/settings/${name}`);
  const stored = (await backend.get(key)).record;
  if (stored !== undefined) return parseMember(stored.value, member);
  const created = await create();
  const value = encodeRecord({ token: random(8).toString('latin1'), json: Buffer.from(JSON.stringify({ [member]: created })) });
  const result = await backend.commit({ key, ifRevision: NO_REVISION, value });
  if (result.outcome === 'committed') return created;
  // Another server was first, or the reply was lost.
  const now = (await backend.get(key)).record;
  return now === undefined ? undefined : parseMember(now.value, member);
}

function parseMember(record: Buffer, member: string): string | undefined {
  const json = decodeRecord(record)?.json;
  if (json === undefined) return undefined;
  const setting: unknown = JSON.parse(json.toString('utf8'));
  if (typeof setting !== 'object' || setting === null) return undefined;
  const value: unknown = Object.entries(setting).find(([name]) => name === member)?.[1];
  return typeof value === 'string' ? value : undefined;
}
