import { expect } from '@jest/globals';
import { fnv1a64 } from '../../pkg/apimachinery/selectors/fnv1a.ts';
import { parseShardSelector, shardSelectorText } from '../../pkg/apimachinery/selectors/shard-selector.ts';
import { expectRefused } from './selectors.ts';
import { runnerOf, unknownInput } from './vector.ts';

interface ShardVector {
  readonly expression?: string;
  readonly expectedString?: string;
  readonly expectedRequirements?: readonly { readonly key: string; readonly start: string; readonly end: string }[];
  readonly expectedMatches?: readonly { readonly uid: string; readonly namespace: string; readonly matches: boolean }[];
  readonly expectError?: boolean;
  readonly value?: string;
  readonly expectedHash?: string;
}

export const shardSelector = runnerOf<ShardVector>((vector) => {
  const { expression, value, expectedString, expectedRequirements, expectedMatches = [], expectedHash, expectError } = vector;
  if (value !== undefined) {
    expect(hexOf(value)).toBe(expectedHash);
    return;
  }
  if (expression === undefined) throw unknownInput();
  if (expectError === true) {
    expectRefused(() => parseShardSelector(expression));
    return;
  }
  const selector = parseShardSelector(expression);
  expect(shardSelectorText(selector)).toBe(expectedString);
  expect(selector.ranges.map(({ field, start, end }) => ({ key: field, start, end }))).toEqual(expectedRequirements);
  const shown = expectedMatches.map(({ uid, namespace }) => ({ uid, namespace, matches: selector.matches({ uid, namespace }) }));
  expect(shown).toEqual(expectedMatches);
});

function hexOf(text: string): string {
  const { high, low } = fnv1a64(text);
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
