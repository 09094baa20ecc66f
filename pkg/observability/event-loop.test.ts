import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { measureEventLoop } from './event-loop.ts';

const run = promisify(execFile);
/** On timeout the process is killed, which rejects. */
const ENDED_MS = 20_000;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('Ticks of the event loop', () => {
  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  const measure = () => {
    const thread = { microseconds: 0 };
    const observed: number[] = [];
    stop = measureEventLoop({
      ticks: { observe: (seconds) => observed.push(seconds) },
      threadCpuMicroseconds: () => thread.microseconds,
    });
    return { thread, observed };
  };

  it('are measured by what their thread worked', async () => {
    const { thread, observed } = measure();
    thread.microseconds = 30_000;
    await nextTurn();
    thread.microseconds = 31_000;
    await nextTurn();
    expect(observed.slice(0, 2)).toEqual([0.03, 0.001]);
  });

  it('are measured no longer once that was ended', async () => {
    const { observed } = measure();
    await nextTurn();
    stop?.();
    const before = observed.length;
    await nextTurn();
    await nextTurn();
    expect(observed.length).toBe(before);
  });

  it('do not keep the loop awake: a process with nothing else to do ends', async () => {
    const program = `import { measureEventLoop } from './event-loop.ts';
      measureEventLoop({ ticks: { observe: () => {} }, threadCpuMicroseconds: () => 0 });`;
    const ended = run(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname, timeout: ENDED_MS });
    await expect(ended).resolves.toBeDefined();
  });
});
