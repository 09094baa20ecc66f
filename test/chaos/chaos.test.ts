/** The short run: a few troubles of each world. `make chaos` goes on for as long as it is told. */
import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../support/random.ts';
import { ENOUGH, runChaos } from './run-chaos.ts';
import { openWorld, type WorldName } from './worlds.ts';

const TEST_MS = 120_000;

/** The world, its troubles, and whether history is lost to a watch: only then may it be told to list again. */
const SHORT: readonly (readonly [WorldName, readonly string[], boolean])[] = [
  [
    'one etcd',
    [
      'left: connections are cut',
      'right: replies are lost, then the connections',
      'etcd is killed and started',
      'left: what happens while etcd cannot be reached is compacted',
      'right is killed and started',
    ],
    true,
  ],
  ['three members', ['the leader is killed, and started when there is another one'], false],
  ['embedded', ['the server is killed and started', 'the server is stopped and started'], false],
];

describe('A store and its servers', () => {
  it.each(SHORT)(
    'of %s, nothing is lost, doubled, stale or out of order, whatever happens',
    async (name, happenings, isLost) => {
      const world = await openWorld(name);
      try {
        const troubles = happenings.map((happening) => {
          const trouble = world.troubles.find((each) => each.name === happening);
          if (trouble === undefined) throw new Error(`no such trouble: ${happening}`);
          return trouble;
        });
        const { violations, notes, owners } = await runChaos(world, troubles, createRandom(1), () => undefined);
        expect(violations).toEqual([]);
        expect(notes.writes.length).toBeGreaterThan(ENOUGH);
        expect(notes.reads.length).toBeGreaterThan(ENOUGH);
        expect(owners.deleted).toBeGreaterThan(0);
        expect(notes.expired.length > 0).toBe(isLost);
        // Watches were cut and found their way.
        expect(notes.opened).toBeGreaterThanOrEqual(world.servers.length);
      } finally {
        await world.close();
      }
    },
    TEST_MS,
  );
});
