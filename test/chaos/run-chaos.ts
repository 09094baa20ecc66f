/** One world, clients at work in it, one trouble after the other, and what the clients saw compared in the end. */
import { waitFor } from '../support/wait.ts';
import { emptyNotes, objectOf, read, watch, write, NAMESPACE, type Notes, type Server } from './clients.ts';
import type { Evidence } from './evidence.ts';
import { findViolations } from './find-violations.ts';
import { startInformer } from './informer.ts';
import { emptyOwners, findOwnerViolations, own as ownOthers, type OwnersSeen } from './owners.ts';
import { CRON_JOB, collectionPath, itemPath } from '../support/kinds.ts';
import type { Trouble, World } from './worlds.ts';

const WRITERS = ['ann', 'bob'];
/** All of them write these. */
const SHARED = ['shared-0', 'shared-1', 'shared-2', 'shared-3'];
const READERS = 2;
/** Before the next trouble each server has served this many writes. */
const SERVED = 4;
/**
 * A server that has lost its store may take this long to serve again: the longest deadline of a call, and the wait
 * before the next try.
 */
const RECOVERY_MS = 40_000;
/** So many reads and writes say something. */
export const ENOUGH = 20;
const LAST = 'the-last';

export interface ChaosReport {
  readonly violations: readonly string[];
  readonly notes: Notes;
  readonly owners: OwnersSeen;
  readonly evidence: Evidence;
}

/** `happening` is told each trouble as it begins. Throws when a server does not serve again after a trouble. */
export async function runChaos(
  { servers }: World,
  troubles: readonly Trouble[],
  random: () => number,
  happening: (trouble: string) => void,
): Promise<ChaosReport> {
  const notes = emptyNotes();
  const owners = emptyOwners();
  const stop = new AbortController();
  const abandoned = new AbortController();
  const end = Promise.withResolvers<number>();
  const options = { servers, random, stop: stop.signal };
  const informers = await Promise.all(servers.map(startInformer));
  const watches = [
    ...servers.map((server) => ({ watcher: `the watch of ${server.name}`, servers: [server] })),
    { watcher: 'the watch of any server', servers },
  ];
  const watching = watches.map(({ watcher, servers: asked }) =>
    watch(watcher, { servers: asked, random, stop: abandoned.signal }, end.promise, notes),
  );
  // What was written before the first of them looked would be known to nobody.
  await waitFor(() => watches.every(({ watcher }) => notes.spans.some((span) => span.watcher === watcher)), {
    what: 'the watches to begin',
  });
  const own = servers.map((server, index) => ({ server, name: `own-${index}`, keys: [`own-${index}-0`, `own-${index}-1`] }));
  const working = [
    ...WRITERS.map((name) => write({ name, keys: SHARED }, options, notes)),
    // Each server has one to itself, who does not wait for the answers of another one.
    ...own.map(({ server, ...writer }) => write(writer, { ...options, servers: [server] }, notes)),
    ownOthers(options, owners),
    ...Array.from({ length: READERS }, () => read([...SHARED, ...own.flatMap(({ keys }) => keys)], options, notes)),
  ];
  const served = (server: Server) =>
    notes.writes.filter(({ outcome, note }) => outcome === 'acknowledged' && note.startsWith(`${server.name}:`)).length;
  const serveAgain = async (which: readonly Server[], timeoutMs = RECOVERY_MS) => {
    const goals = which.map((server) => ({ server, goal: served(server) + SERVED }));
    await waitFor(() => goals.every(({ server, goal }) => served(server) >= goal), {
      what: () =>
        `${goals
          .filter(({ server, goal }) => served(server) < goal)
          .map(({ server }) => server.name)
          .join(' and ')} to serve writes`,
      timeoutMs,
    });
  };
  const beReady = (timeoutMs: number) =>
    waitFor(async () => (await Promise.all(servers.map(({ api }) => api.get('/readyz')))).every(({ code }) => code === 200), {
      what: 'all servers to be ready',
      timeoutMs,
    });
  /** Of watches that are without history at the same time, none could tell what happened. */
  const watchAgain = (which: typeof watches, timeoutMs: number) => {
    const goal = Math.max(0, ...notes.writes.map(({ revision = 0 }) => revision));
    const seenBy = (watcher: string) => {
      const span = notes.spans.findLast((each) => each.watcher === watcher);
      return span?.events.at(-1)?.revision ?? span?.from ?? 0;
    };
    return waitFor(() => which.every(({ watcher }) => seenBy(watcher) >= goal), {
      what: `${which.map(({ watcher }) => watcher).join(' and ')} to come to ${goal}`,
      timeoutMs,
    });
  };
  const cause = async () => {
    await serveAgain(servers);
    for (const trouble of troubles) {
      happening(trouble.name);
      await trouble.happen((server) => serveAgain(servers.filter((other) => other !== server)));
      const over = performance.now();
      const left = () => Math.max(0, (trouble.recoveryMs ?? RECOVERY_MS) - (performance.now() - over));
      await serveAgain(servers, left());
      await watchAgain(
        watches.filter(({ servers: asked }) => asked.length === 1),
        left(),
      );
      await beReady(left());
      // It goes from server to server, a few events at each, and is not as fast as the writers.
      await watchAgain(watches, RECOVERY_MS);
    }
    const isEnough = () => owners.deleted > 0 && Math.min(notes.writes.length, notes.reads.length) > ENOUGH;
    await waitFor(isEnough, { what: 'reads, writes and an owner that is deleted', timeoutMs: RECOVERY_MS });
  };
  try {
    await cause().finally(() => stop.abort());
    await Promise.all(working);
    const last = await writeLast(servers);
    end.resolve(last);
    await Promise.all(watching);
    notes.informers.push(...(await Promise.all(informers.map((informer) => informer.finish(LAST)))));
    const compactions = troubles.filter(({ compacts }) => compacts === true).length;
    const evidence = { ...notes, compactions, end: last };
    const violations = [...findViolations(evidence), ...(await findOwnerViolations(servers, owners))];
    return { violations, notes, owners, evidence };
  } finally {
    // Nobody is left who asks a world that is no longer there.
    abandoned.abort();
    await Promise.all([...working, ...watching, ...informers.map((informer) => informer.stop())]);
  }
}

/** Behind everything else: what is still on its way gets there first, or never. */
async function writeLast(servers: readonly Server[]): Promise<number> {
  let revision: number | undefined;
  const isWritten = async () => {
    for (const { api } of servers) {
      const created = await api.post(collectionPath(CRON_JOB, NAMESPACE), objectOf(LAST, LAST)).catch(() => undefined);
      // There already, when the reply to the last try was lost.
      const answer = created?.code === 409 ? await api.get(itemPath(CRON_JOB, NAMESPACE, LAST)).catch(() => undefined) : created;
      if (answer !== undefined && answer.code < 300) revision = Number(answer.object().metadata.resourceVersion);
      if (revision !== undefined) return true;
    }
    return false;
  };
  await waitFor(isWritten, { what: 'the last write', timeoutMs: RECOVERY_MS, everyMs: 100 });
  return revision ?? 0;
}
