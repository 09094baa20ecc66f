/**
 * Removes the entries of dead servers. All servers look for them; compare-and-set of a mark on the key elects one. The
 * key is deleted last, so that another server can resume an interrupted removal, and a returning server that finds the
 * mark restores its entries.
 */
import type { Log } from '../../observability/logging.ts';
import type { Backend } from '../../storage/backend.ts';
import type { Liveness } from './liveness.ts';
import { withdraw } from './publish.ts';
import { listServers, readServer, type SeenServer, serverKey, writeHeartbeat } from './server-key.ts';
import type { StorageVersionObjects } from './storage-version-objects.ts';

export interface RemovalOptions {
  readonly backend: Pick<Backend, 'get' | 'commit' | 'range'>;
  readonly objects: StorageVersionObjects;
  readonly liveness: Liveness;
  readonly random: (size: number) => Buffer;
  readonly monotonicNow: () => number;
  readonly log: Log;
}

/** Looks once. Skips `ownId`. */
export async function removeDeadServers(options: RemovalOptions, ownId: string, signal: AbortSignal): Promise<void> {
  const { backend, liveness, monotonicNow } = options;
  const servers = await listServers(backend);
  for (const server of liveness.look(servers, monotonicNow())) {
    if (signal.aborted) return;
    if (server.id !== ownId) await removeDead(options, server, signal);
  }
}

async function removeDead({ backend, objects, random, log }: RemovalOptions, { id, revision, heartbeat }: SeenServer, signal: AbortSignal) {
  const mark = { instance: heartbeat?.instance ?? '', timeoutMs: heartbeat?.timeoutMs ?? 0, gone: true };
  const marked = await writeHeartbeat({ backend, random }, id, revision, mark);
  if (marked === undefined) return; // the server returned, or another one was faster
  log.info('removing the storage version entries of a dead server', { server: id });
  const isStillMarked = async () => (await readServer(backend, id))?.revision === marked;
  if (!(await withdraw(objects, id, { proceed: isStillMarked, signal }))) return;
  // Fails when the server returned, or with a lost reply; the next look then finds no entries left and tries again.
  await backend.commit({ key: serverKey(id), ifRevision: marked, value: null });
}
