/**
 * `make chaos`: random troubles in one world after the other until the time is over (CHAOS_SECONDS, 300), the same ones
 * for the same CHAOS_SEED. Says what it does as it does it, and what it checked in the end. The code is 1 when a
 * promise was broken.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Evidence } from './evidence.ts';
import { createRandom } from '../support/random.ts';
import { runChaos } from './run-chaos.ts';
import { openWorld, WORLDS } from './worlds.ts';

const TROUBLES_PER_ROUND = 8;
/** Of one round. There may be thousands, and they tend to be of one kind; the file with what was seen has the rest. */
const SHOWN_VIOLATIONS = 20;

const seconds = Number(process.env['CHAOS_SECONDS'] ?? '300');
const seed = Number(process.env['CHAOS_SEED'] ?? String(Date.now() % 1_000_000));
/** Of the troubles alone: how often the clients draw depends on how fast they are answered. */
const random = createRandom(seed);
const clientRandom = createRandom(seed + 1);
const begun = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}\n`);

/** Where it is kept. */
async function keep(evidence: Evidence): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'coxswain-chaos-')), 'evidence.json');
  await writeFile(
    file,
    JSON.stringify(evidence, (_, value: unknown) => (value instanceof Map ? [...value] : value), 1),
  );
  return file;
}

const total = {
  rounds: 0,
  troubles: 0,
  acknowledged: 0,
  refused: 0,
  unknown: 0,
  reads: 0,
  lists: 0,
  events: 0,
  opened: 0,
  expired: 0,
  owners: 0,
  violations: 0,
};
say(`chaos for ${seconds} s, CHAOS_SEED=${seed}`);
while (performance.now() - begun < seconds * 1000) {
  const name = WORLDS[total.rounds++ % WORLDS.length] ?? 'one etcd';
  say(`round ${total.rounds}: ${name}`);
  const world = await openWorld(name);
  try {
    const troubles = Array.from({ length: TROUBLES_PER_ROUND }, () => {
      const trouble = world.troubles[Math.floor(random() * world.troubles.length)];
      if (trouble === undefined) throw new Error('a world without trouble');
      return trouble;
    });
    const { violations, notes, owners, evidence } = await runChaos(world, troubles, clientRandom, (trouble) => say(`  ${trouble}`));
    const count = (outcome: string) => notes.writes.filter((write) => write.outcome === outcome).length;
    total.troubles += troubles.length;
    total.acknowledged += count('acknowledged');
    total.refused += count('refused');
    total.unknown += count('unknown');
    total.reads += notes.reads.length;
    total.lists += notes.lists.length;
    total.events +=
      notes.spans.reduce((sum, { events }) => sum + events.length, 0) + notes.informers.reduce((sum, { told }) => sum + told.length, 0);
    total.opened += notes.opened;
    total.expired += notes.expired.length;
    total.owners += owners.deleted;
    total.violations += violations.length;
    for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) say(`  VIOLATION ${violation}`);
    if (violations.length > 0) say(`  everything that was seen: ${await keep(evidence)}`);
  } finally {
    await world.close();
  }
}
say(
  `${total.rounds} rounds with ${total.troubles} troubles. Checked: ${total.acknowledged} acknowledged writes, ${total.refused} refused, ${total.unknown} of unknown outcome; ` +
    `${total.reads} reads and ${total.lists} lists, none of which may be stale; ${total.events} events of watches and informers, each once and in order, ` +
    `while watches were opened ${total.opened} times and told 410 ${total.expired} times; dependents of ${total.owners} deleted owners. Violations: ${total.violations}.`,
);
process.exitCode = total.violations === 0 ? 0 : 1;
