import { describe, expect, it } from '@jest/globals';
import { nearestName, createSuggester } from './nearest-name.ts';

const KNOWN = ['Address', 'Port', 'LeaderElection', 'LeaderMigration'];

describe('nearestName', () => {
  it.each([
    ['address', 'Address'],
    ['Adress', 'Address'],
    ['Addrses', 'Address'],
    ['Prt', 'Port'],
    ['LeaderElect', 'LeaderElection'],
    ['LeaderMigratoin', 'LeaderMigration'],
  ])('%s: %s', (name, near) => expect(nearestName(name, KNOWN)).toBe(near));

  it.each(['metadata', 'x', '', 'Addr', `Address${'x'.repeat(100)}`])('%s: none', (name) =>
    expect(nearestName(name, KNOWN)).toBeUndefined(),
  );
});

describe('createSuggester', () => {
  it('stops after a hundred names', () => {
    const suggest = createSuggester(KNOWN);
    expect(Array.from({ length: 101 }, () => suggest('Adress')).filter((near) => near === 'Address')).toHaveLength(100);
  });
});
