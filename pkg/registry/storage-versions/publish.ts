/** Brings a server's entries into the StorageVersions, and takes them out. */
import { hasServer, withoutServer, withServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/server-entries.ts';
import type { Kind } from '../../apis/kind.ts';
import { ownEntries } from './own-entries.ts';
import type { StorageVersionObjects } from './storage-version-objects.ts';

export interface PublishOptions {
  readonly objects: StorageVersionObjects;
  readonly kinds: readonly Kind[];
  readonly id: string;
  /**
   * Someone may be removing the entries of this id, from a state that was read before: what is there is taken out first, so that a write of
   * theirs that is still under way loses its race.
   */
  readonly anew: boolean;
}

/** Resolves when every StorageVersion says what this server does. Writes nothing where it does already. */
export async function publish({ objects, kinds, id, anew }: PublishOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(
    [...ownEntries(kinds, id)].map(async ([name, entry]) => {
      if (anew) {
        await objects.change(
          name,
          (current, change) =>
            current === undefined ? { does: 'nothing' } : { does: 'write', status: withoutServer(current.status, id, change) },
          signal,
        );
      }
      await objects.change(
        name,
        (current, change) =>
          current === undefined ? { does: 'create' } : { does: 'write', status: withServerEntry(current.status, entry, change) },
        signal,
      );
    }),
  );
}

/**
 * Takes a server's entries out everywhere. An object without any entry left goes with the last one. `proceed` is asked before each write:
 * false stops it, since the server is back. Whether all was done.
 */
export async function withdraw(
  objects: StorageVersionObjects,
  id: string,
  proceed: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { name, status } of await objects.list(signal)) {
    if (hasServer(status, id) && !(await withdrawFrom(objects, name, id, proceed, signal))) return false;
  }
  return true;
}

async function withdrawFrom(
  objects: StorageVersionObjects,
  name: string,
  id: string,
  proceed: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = { last: true };
  await objects.change(
    name,
    async (current, change) => {
      if (!hasServer(current?.status, id)) return { does: 'nothing' };
      asked.last = await proceed();
      if (!asked.last) return { does: 'nothing' };
      const left = withoutServer(current?.status, id, change);
      return left.storageVersions?.length === 0 ? { does: 'delete' } : { does: 'write', status: left };
    },
    signal,
  );
  return asked.last;
}
