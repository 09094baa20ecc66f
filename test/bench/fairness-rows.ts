/**
 * What a GET of one user takes while another one keeps the server busy: unloaded, beside a client that lists everything
 * without a pause, and beside one that sends 10,000 creates on a hundred connections.
 *
 * What is measured is the tail of its times (p99); the median is beside it.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Attack, AttackResult } from './attacker.ts';
import { ATTACKER_TOKEN, VICTIM_TOKEN } from './bearer-token.ts';
import { withConnections, type Address } from './connection.ts';
import { Histogram } from './histogram.ts';
import { createObjects, prepareObjects } from './objects.ts';
import type { Report } from './report.ts';
import { get, pathOf } from './sample-object.ts';
import { ownTarget, type OwnTargetName } from './target.ts';

const OBJECTS = 10_000;
const LOAD_CLIENTS = 64;
const TURNS = 3;
/** Without authorization by RBAC, so that nobody has to be given roles. */
const FLAGS = ['--authorization-mode', 'AlwaysAllow'];

export async function fairnessRows(backend: OwnTargetName, report: Report, seconds: number): Promise<void> {
  const target = await ownTarget(backend, { flags: FLAGS });
  try {
    const objects = await prepareObjects(target);
    await createObjects(objects, LOAD_CLIENTS, Infinity, OBJECTS);
    const { port, ca } = target.own?.secure() ?? { port: 0, ca: '' };
    const as = (token: string): Address => ({ host: '127.0.0.1', port, secure: { ca, token } });
    const { bulkBytes } = objects;
    let firstIndex = objects.count;
    const measured = { unloaded: new Histogram(), lists: new Histogram(), creates: new Histogram() };
    const attacks = { lists: { done: 0, refused: 0 }, creates: { done: 0, refused: 0 } };
    const quiet = new Histogram();
    for (let turn = -1; turn < TURNS; turn++) {
      await victim(as(VICTIM_TOKEN), seconds, turn < 0 ? quiet : measured.unloaded);
      for (const kind of ['lists', 'creates'] as const) {
        const { done, refused } = await beside({ address: as(ATTACKER_TOKEN), kind, firstIndex, bulkBytes }, () =>
          victim(as(VICTIM_TOKEN), seconds, turn < 0 ? quiet : measured[kind]),
        );
        if (kind === 'creates') firstIndex += done;
        if (turn < 0) continue;
        attacks[kind].done += done;
        attacks[kind].refused += refused;
      }
    }
    const unloaded = measured.unloaded.quantile(0.99);
    const row = (name: string, histogram: Histogram, details: Readonly<Record<string, number>>) =>
      report.add({
        target: backend,
        name: `get of another user, ${name}`,
        value: histogram.quantile(0.99),
        unit: 'ms',
        details: { p50: histogram.quantile(0.5), gets: histogram.count, ...details },
      });
    row('unloaded', measured.unloaded, {});
    row('beside lists of everything', measured.lists, { ratio: measured.lists.quantile(0.99) / unloaded, ...attacks.lists });
    row('beside creates on 100 connections', measured.creates, { ratio: measured.creates.quantile(0.99) / unloaded, ...attacks.creates });
  } finally {
    await target.close();
  }
}

async function victim(address: Address, seconds: number, histogram: Histogram): Promise<void> {
  await withConnections(address, 1, async (connection) => {
    const end = performance.now() + seconds * 1000;
    for (let now = performance.now(), index = 0; now < end;) {
      index = (index + 7919) % OBJECTS;
      const { code } = await connection.send(get(pathOf(index)));
      if (code !== 200) throw new Error(`a GET of another user was answered ${code}`);
      const after = performance.now();
      histogram.record(after - now);
      now = after;
    }
  });
}

/** Runs `work` while the attack goes on. */
async function beside(attack: Attack, work: () => Promise<void>): Promise<AttackResult> {
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: attack });
  await once(worker, 'message');
  await work();
  worker.postMessage('stop');
  const [result] = (await once(worker, 'message')) as [AttackResult];
  await worker.terminate();
  return result;
}
