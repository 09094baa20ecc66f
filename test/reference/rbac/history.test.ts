import { describe, expect, it } from '@jest/globals';
import { drawHistory } from './history.ts';
import { keyOf, type RbacObject } from './policy.ts';

const rounds = [...drawHistory('a')];

describe('A random history of a policy', () => {
  it('is the same for the same seed', () => {
    expect([...drawHistory('a')]).toEqual(rounds);
    expect([...drawHistory('b')]).not.toEqual(rounds);
  });

  it('has the policy that its changes leave', () => {
    const stored = new Map<string, RbacObject>();
    for (const { changes, policy } of rounds) {
      for (const { object, isRemoved } of changes) {
        expect(stored.has(keyOf(object)) || !isRemoved).toBe(true);
        if (isRemoved) stored.delete(keyOf(object));
        else stored.set(keyOf(object), object);
      }
      expect(policy).toEqual([...stored.values()]);
    }
  });

  it('has objects of all kinds, which also change and go', () => {
    const seen = new Set<string>();
    const did = new Set<string>();
    for (const { object, isRemoved } of rounds.flatMap(({ changes }) => changes)) {
      did.add(isRemoved ? 'goes' : seen.has(keyOf(object)) ? 'changes' : 'comes');
      seen.add(keyOf(object));
    }
    expect([...did].sort()).toEqual(['changes', 'comes', 'goes']);
    expect([...new Set([...seen].map((key) => key.split(' ')[0]))].sort()).toEqual([
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
    ]);
  });

  it('has gaps, but not at first', () => {
    const histories = ['a', 'b', 'c', 'd'].map((seed) => [...drawHistory(seed)].map(({ isGap }) => isGap));
    expect(histories.map(([first]) => first)).toEqual([false, false, false, false]);
    expect(histories.flat()).toContain(true);
  });

  it('has questions of all sorts', () => {
    const questions = rounds.flatMap((round) => round.questions);
    const sorts = questions.map((question) => (question.about === 'access' ? `access ${question.isResource}` : question.about));
    expect([...new Set(sorts)].sort()).toEqual(['access false', 'access true', 'grant', 'rules']);
  });
});
