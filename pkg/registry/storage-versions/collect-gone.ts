/**
 * Removes what servers that are gone have left. Every server looks; whose mark on the key is committed does it. The key
 * goes last, so that another server finds what one that dies in between has left undone; and a server that comes back
 * finds the mark and puts its entries back.
 */
import type { Log } from '../../observability/logging.ts';
import type { Backend } from '../../storage/backend.ts';
import type { Liveness } from './liveness.ts';
import { withdraw } from './publish.ts';
import { listServers, readServer, type SeenServer, serverKey, writeHeartbeat } from './server-key.ts';
import type { StorageVersionObjects } from './storage-version-objects.ts';

export interface CollectOptions {
  readonly backend: Pick<Backend, 'get' | 'commit' | 'range'>;
  readonly objects: StorageVersionObjects;
  readonly liveness: Liveness;
  readonly random: (size: number) => Buffer;
  readonly monotonicNow: () => number;
  readonly log: Log;
}

/** Looks once. `ownId` is never taken for gone. */
export async function collectGone(options: CollectOptions, ownId: string, signal: AbortSignal): Promise<void> {
  const { backend, liveness, monotonicNow } = options;
  const servers = await listServers(backend);
  for (const server of liveness.look(servers, monotonicNow())) {
    if (signal.aborted) return;
    if (server.id !== ownId) await collect(options, server, signal);
  }
}

async function collect({ backend, objects, random, log }: CollectOptions, { id, revision, sign }: SeenServer, signal: AbortSignal) {
  const mark = { instance: sign?.instance ?? '', timeoutMs: sign?.timeoutMs ?? 0, gone: true };
  const marked = await writeHeartbeat({ backend, random }, id, revision, mark);
  if (marked === undefined) return; // it lives, or another server was quicker
  log.info('a server is gone, and its entries leave the storage versions', { server: id });
  const isStillMarked = async () => (await readServer(backend, id))?.revision === marked;
  if (!(await withdraw(objects, id, { proceed: isStillMarked, signal }))) return;
  // Lost to a server that came back, or with its reply: then the key is found gone once more, and there is nothing left
  // to withdraw.
  await backend.commit({ key: serverKey(id), ifRevision: marked, value: null });
}
