/** Adds and removes a server's entries in StorageVersions. */
import { hasServer, withoutServer, withServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/server-entries.ts';
import type { ServerEntry } from '../../apis/apiserverinternal/v1alpha1/storageversions/rules.ts';
import type { StorageVersionObjects } from './storage-version-objects.ts';

export interface PublishOptions {
  readonly objects: StorageVersionObjects;
  /** By name of the StorageVersion. */
  readonly entries: ReadonlyMap<string, ServerEntry>;
  readonly id: string;
  /** Removes existing entries of this id first: another server may be removing them, and its writes then conflict. */
  readonly removeFirst: boolean;
}

/** Resolves when every StorageVersion has this server's entry. Writes only where needed. */
export async function publish({ objects, entries, id, removeFirst }: PublishOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(
    [...entries].map(async ([name, entry]) => {
      if (removeFirst) {
        await objects.change(
          name,
          (current, change) =>
            current === undefined ? { action: 'nothing' } : { action: 'write', status: withoutServer(current.status, id, change) },
          signal,
        );
      }
      await objects.change(
        name,
        (current, change) =>
          current === undefined ? { action: 'create' } : { action: 'write', status: withServerEntry(current.status, entry, change) },
        signal,
      );
    }),
  );
}

export interface WithdrawOptions {
  /** StorageVersions to skip. */
  readonly except?: { has(name: string): boolean };
  /** Called before each write. False stops the removal, since the server has returned. */
  readonly proceed?: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Removes a server's entries, and objects left without entries or finalizers. Returns whether all were removed. */
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
  const latest = { mayProceed: true };
  await objects.change(
    name,
    async (current, change) => {
      if (current === undefined || !hasServer(current.status, id)) return { action: 'nothing' };
      latest.mayProceed = await proceed();
      if (!latest.mayProceed) return { action: 'nothing' };
      const left = withoutServer(current.status, id, change);
      return left.storageVersions?.length === 0 && !current.isHeld ? { action: 'delete' } : { action: 'write', status: left };
    },
    signal,
  );
  return latest.mayProceed;
}
