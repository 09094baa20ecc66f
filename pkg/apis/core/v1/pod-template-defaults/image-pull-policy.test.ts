import { describe, expect, it } from '@jest/globals';
import { defaultPullPolicy } from './image-pull-policy.ts';

const sha256 = `sha256:${'0f'.repeat(32)}`;

describe('The default pull policy', () => {
  it.each([
    'work',
    'work:latest',
    'library/work',
    'docker.io/work',
    'index.docker.io/work:latest',
    'registry.example.com/team/work',
    'registry.example.com:5000/work:latest',
    'localhost/work',
    'localhost:5000/work',
    'host:5000/work',
    '[2001:db8::1]:5000/work',
    'Registry/work',
    'a__b/c-d.e',
    `work:latest@${sha256}`,
    'a'.repeat(247),
  ])('of %s is Always', (image) => {
    expect(defaultPullPolicy(image)).toBe('Always');
  });

  it.each([
    ['another tag', 'work:1.0'],
    ['another tag', 'registry.example.com:5000/work:v1_x'],
    ['another tag', 'work:LATEST'],
    ['a number, which is a tag and no port', 'host:5000'],
    ['a digest', `work@${sha256}`],
    ['a digest', `registry.example.com/work@sha512:${'0'.repeat(128)}`],
    ['tag and digest', `work:1.0@${sha256}`],
    ['nothing to read', undefined],
    ['nothing to read', ''],
    ['blanks', ' work'],
    ['capitals', 'Work'],
    ['capitals', 'registry.example.com/Work:latest'],
    ['the hexadecimal form of a digest', '0f'.repeat(32)],
    ['an unknown digest', 'work:latest@md5:00000000000000000000000000000000'],
    ['a digest too short', 'work:latest@sha256:0f'],
    ['a tag too long', `work:${'a'.repeat(129)}`],
    ['a name too long', 'a'.repeat(248)],
    ['no path', 'registry.example.com/'],
    ['a path that ends badly', 'team/work-'],
    ['a domain that ends badly', 'example.com-/work'],
    ['an empty tag', 'work:'],
    ['two tags', 'work:latest:latest'],
  ])('with %s is IfNotPresent', (_, image) => {
    expect(defaultPullPolicy(image)).toBe('IfNotPresent');
  });

  it.each([
    'a-'.repeat(500_000),
    'a.'.repeat(500_000),
    '-'.repeat(1_000_000),
    `${'a-'.repeat(500_000)}/b`,
    `a.${'a'.repeat(1_000_000)}!/b`,
  ])(
    'is found in linear time',
    (image) => {
      expect(defaultPullPolicy(image)).toBe('IfNotPresent');
    },
    1000,
  );
});
