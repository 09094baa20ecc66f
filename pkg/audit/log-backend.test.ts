import { describe, expect, it } from '@jest/globals';
import { createLogBackend, type LineWriter } from './log-backend.ts';

/** Holds each write back until it is released. */
function heldWriter() {
  const written: string[] = [];
  const releases: (() => void)[] = [];
  const writer: LineWriter = {
    write: (lines) => {
      written.push(lines.join(''));
      return new Promise((resolve) => releases.push(resolve));
    },
    close: () => Promise.resolve(),
  };
  return { writer, written, release: () => releases.shift()?.() };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('The log backend', () => {
  it('writes the events of a tick together, and those that come meanwhile next', async () => {
    const { writer, written, release } = heldWriter();
    const backend = createLogBackend({ writer, reportLoss: () => undefined });
    backend.process('a');
    backend.process('b');
    await tick();
    backend.process('c');
    backend.process('d');
    await tick();
    expect(written).toEqual(['a\nb\n']);
    release();
    await tick();
    expect(written).toEqual(['a\nb\n', 'c\nd\n']);
    release();
    await backend.close();
  });

  it('drops what exceeds its buffer, and says so', async () => {
    const { writer, written, release } = heldWriter();
    const lost: number[] = [];
    const backend = createLogBackend({ writer, reportLoss: (count) => lost.push(count), maxBufferedBytes: 4 });
    for (const event of ['a', 'b', 'c']) backend.process(event);
    await tick();
    release();
    await tick();
    backend.process('d');
    await tick();
    expect([written, lost]).toEqual([['a\nb\n', 'd\n'], [1]]);
    release();
    await backend.close();
  });

  it('reports events that cannot be written, and goes on', async () => {
    const lost: (readonly [number, string])[] = [];
    let failures = 1;
    const written: string[] = [];
    const writer: LineWriter = {
      write: async (lines) => {
        if (failures-- > 0) throw new Error('no space left');
        written.push(lines.join(''));
      },
      close: () => Promise.resolve(),
    };
    const backend = createLogBackend({ writer, reportLoss: (count, { message }) => lost.push([count, message]) });
    backend.process('a');
    backend.process('b');
    await tick();
    await tick();
    backend.process('c');
    await backend.close();
    expect([written, lost]).toEqual([['c\n'], [[2, 'no space left']]]);
  });
});
