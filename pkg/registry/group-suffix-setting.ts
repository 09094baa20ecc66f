/** The group suffix is part of every key and object: with another suffix the store would look empty. */
import type { Backend } from '../storage/backend.ts';
import { openSetting } from './setting.ts';

export interface GroupSuffixCheck {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  readonly groupSuffix: string;
  readonly random: (size: number) => Buffer;
}

/** Writes the suffix on first start. Later returns a message for the operator when it differs. Throws StorageError. */
export async function checkGroupSuffix({ backend, groupSuffix, random }: GroupSuffixCheck): Promise<string | undefined> {
  const created = await openSetting({ backend, name: 'group-suffix', random }, 'groupSuffix', () => groupSuffix);
  if (created === groupSuffix) return undefined;
  return `the store was created with --group-suffix=${created ?? '(unreadable)'}, this server was started with ${groupSuffix}: use the former, or another store`;
}
