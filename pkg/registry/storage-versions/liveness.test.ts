import { beforeEach, describe, expect, it } from '@jest/globals';
import { toRevision } from '../../storage/backend.ts';
import { Liveness } from './liveness.ts';
import type { SeenServer } from './server-key.ts';

const server = (id: string, revision: number, timeoutMs = 60_000): SeenServer => ({
  id,
  revision: toRevision(revision),
  heartbeat: { instance: 'i', timeoutMs, gone: false },
});

describe('Liveness', () => {
  let liveness: Liveness;
  let nowMs: number;
  beforeEach(() => {
    liveness = new Liveness({ everyMs: 20_000, timeoutMs: 60_000 });
    nowMs = 5;
  });
  const lookIn = (ms: number, ...servers: readonly SeenServer[]) => liveness.look(servers, (nowMs += ms)).map(({ id }) => id);

  it('finds gone what did not change for its timeout', () => {
    for (const waited of [0, 20_000, 20_000]) expect(lookIn(waited, server('a', 1), server('b', 2))).toEqual([]);
    expect(lookIn(20_000, server('a', 1), server('b', 3))).toEqual(['a']);
  });

  it('respects the timeout that a server names', () => {
    expect(lookIn(0, server('quick', 1, 10_000), server('slow', 1, 30_000))).toEqual([]);
    expect(lookIn(20_000, server('quick', 1, 10_000), server('slow', 1, 30_000))).toEqual(['quick']);
    expect(lookIn(20_000, server('slow', 1, 30_000))).toEqual(['slow']);
  });

  it('counts anew after a time in which it could not look', () => {
    expect(lookIn(0, server('a', 1))).toEqual([]);
    expect(lookIn(20_000, server('a', 1))).toEqual([]);
    expect(lookIn(90_000, server('a', 1))).toEqual([]);
    for (const waited of [20_000, 20_000]) expect(lookIn(waited, server('a', 1))).toEqual([]);
    expect(lookIn(20_000, server('a', 1))).toEqual(['a']);
  });

  it('counts anew for a key that was away', () => {
    for (const waited of [0, 20_000, 20_000]) lookIn(waited, server('a', 1));
    expect(lookIn(1000)).toEqual([]);
    expect(lookIn(20_000, server('a', 1))).toEqual([]);
  });

  it('respects a key that says nothing as long as its own', () => {
    const odd = { id: 'odd', revision: toRevision(1), heartbeat: undefined };
    for (const waited of [0, 20_000, 20_000]) expect(lookIn(waited, odd)).toEqual([]);
    expect(lookIn(20_000, odd)).toEqual(['odd']);
  });
});
