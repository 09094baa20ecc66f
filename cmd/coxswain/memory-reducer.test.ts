import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Creates garbage and then stays idle. */
const PROGRAM = `
  const { startMemoryReducer } = await import(process.argv[1]);
  startMemoryReducer();
  let kept = [];
  for (let round = 0; round < 40; round++) kept = Array.from({ length: 100_000 }, (_, i) => ({ i, round }));
  kept = [];
  setInterval(() => undefined, 1000);
`;
const FLAGS = [
  '--trace-memory-reducer',
  '--gc-memory-reducer-start-delay-ms=100',
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
];

describe('the memory reducer', () => {
  it('collects garbage of an idle process, so that its memory returns to the system', async () => {
    const idle = spawn(process.execPath, [...FLAGS, '--eval', PROGRAM, resolve(import.meta.dirname, 'memory-reducer.ts')]);
    try {
      for (let output = ''; !output.includes('finished GC');) {
        const [piece] = (await once(idle.stdout, 'data')) as [Buffer];
        output += piece.toString();
      }
      expect(idle.exitCode).toBeNull();
    } finally {
      idle.kill();
    }
  });
});
