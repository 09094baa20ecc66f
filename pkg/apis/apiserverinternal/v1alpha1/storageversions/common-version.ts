import type { Unchecked } from '../../../define-strategy.ts';
import type { ServerStorageVersion } from './types.gen.ts';

/** The encoding version that all servers share. Undefined if they differ or there is none. */
export function commonEncodingVersion(entries: readonly Unchecked<ServerStorageVersion>[] = []): string | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const { encodingVersion = '' } = first;
  return entries.every((entry) => (entry.encodingVersion ?? '') === encodingVersion) ? encodingVersion : undefined;
}
