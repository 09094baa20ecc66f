import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { inFolder, runWriter, type Acknowledgement } from './run-writer.ts';
import { expectAllThere } from './verify.ts';

const ROUNDS = 6;

describe('embedded store under kill -9', () => {
  it('keeps everything that was acknowledged, whole, and goes on from there', async () => {
    await inFolder(async (dir) => {
      const acknowledged: Acknowledgement[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const writer = runWriter({ dir, prefix: `/load/${round}-`, writers: 16, commits: 1_000_000, bytes: 900 });
        // Each round is killed at another moment of another transaction.
        await writer.until((seen) => seen.acknowledged.length >= 200 + round * 331);
        await writer.kill();
        acknowledged.push(...writer.acknowledged);
        await expectAllThere(dir, acknowledged);
      }
      expect(acknowledged.length).toBeGreaterThan(ROUNDS * 200);
    });
  });
});

describe('data folder', () => {
  const holding = (dir: string) => runWriter({ dir, prefix: '/', writers: 0, commits: 0, bytes: 0 });

  it('is refused to a second process, with one sentence that names it', async () => {
    await inFolder(async (parent) => {
      const dir = join(parent, 'data');
      const backend = await openEmbeddedBackend({ dir, clock: systemClock });
      const second = holding(dir);
      expect((await second.ended()).code).toBe(1);
      expect(second.lines).toEqual([`refused The data folder ${dir} is in use by another process: only one at a time may open it.`]);
      await backend.close();
    });
  });

  it('is refused to a second store of the same process', async () => {
    await inFolder(async (dir) => {
      const backend = await openEmbeddedBackend({ dir, clock: systemClock });
      await expect(openEmbeddedBackend({ dir, clock: systemClock })).rejects.toThrow(`The data folder ${dir} is in use`);
      await backend.close();
    });
  });

  it('is free at once after kill -9 of its process', async () => {
    await inFolder(async (dir) => {
      const holder = holding(dir);
      await holder.until(({ lines }) => lines.length > 0);
      await expect(openEmbeddedBackend({ dir, clock: systemClock })).rejects.toThrow(`The data folder ${dir} is in use`);
      await holder.kill();
      await (await openEmbeddedBackend({ dir, clock: systemClock })).close();
    });
  });
});
