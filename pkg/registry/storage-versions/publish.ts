/** Brings a server's entries into the StorageVersions, and takes them out. */
import { hasServer, withoutServer, withServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/server-entries.ts';
import type { ServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/rules.ts';
import type { StorageVersionObjects } from './storage-version-objects.ts';

export interface PublishOptions {
  readonly objects: StorageVersionObjects;
  /** By name of the StorageVersion. */
  readonly entries: ReadonlyMap<string, ServerEntry>;
  readonly id: string;
  /**
   * Someone may be removing the entries of this id, from a state that was read before: what is there is taken out
   * first, so that a write of theirs that is still under way loses its race.
   */
  readonly anew: boolean;
}

/** Resolves when every StorageVersion says what this server does. Writes nothing where it does already. */
export async function publish({ objects, entries, id, anew }: PublishOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(
    [...entries].map(async ([name, entry]) => {
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

export interface WithdrawOptions {
  /** Names of StorageVersions that stay as they are. */
  readonly except?: { has(name: string): boolean };
  /** Asked before each write: false stops it, since the server is back. */
  readonly proceed?: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Takes a server's entries out. An object without any entry left goes with the last one, unless a finalizer holds it.
 * Whether all was done.
 */
export async function withdraw(objects: StorageVersionObjects, id: string, options: WithdrawOptions): Promise<boolean> {
  for (const { name, status } of await objects.list(options.signal)) {
    if (options.except?.has(name) === true || !hasServer(status, id)) continue;
    if (!(await withdrawFrom(objects, name, id, options))) return false;
  }
  return true;
}

async function withdrawFrom(
  objects: StorageVersionObjects,
  name: string,
  id: string,
  { proceed = async () => true, signal }: WithdrawOptions,
): Promise<boolean> {
  const asked = { last: true };
  await objects.change(
    name,
    async (current, change) => {
      if (current === undefined || !hasServer(current.status, id)) return { does: 'nothing' };
      asked.last = await proceed();
      if (!asked.last) return { does: 'nothing' };
      const left = withoutServer(current.status, id, change);
      return left.storageVersions?.length === 0 && !current.isHeld ? { does: 'delete' } : { does: 'write', status: left };
    },
    signal,
  );
  return asked.last;
}
