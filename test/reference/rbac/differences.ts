/** Where two answers to one question differ, in words; undefined if they do not. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Question, Rule } from './policy.ts';

export function difference({ about }: Question, expected: Answer, own: Answer): string | undefined {
  switch (about) {
    case 'access':
      return expected.allowed && own.allowed ? sourceDifference(expected, own) : first(expected, own, ['allowed', 'reason']);
    case 'rules':
      return first(expected, own, ['resourceRules', 'nonResourceRules', 'error']);
    case 'grant':
      return first(expected, own, ['allowed', 'error']);
  }
}

/** Which binding is named depends on the order of a lister. */
function sourceDifference({ sources = [] }: Answer, own: Answer): string | undefined {
  const [source = '', ...more] = own.sources ?? [];
  return more.length === 0 && sources.includes(source)
    ? undefined
    : `source: ${JSON.stringify(own.sources)} is none of ${JSON.stringify(sources)}`;
}

function first(expected: Answer, own: Answer, members: readonly (keyof Answer)[]): string | undefined {
  for (const member of members) {
    const [a, b] = [expected, own].map((answer) => comparable(answer[member]));
    if (!isDeepStrictEqual(a, b)) return `${member}: ${JSON.stringify(own[member])} instead of ${JSON.stringify(expected[member])}`;
  }
  return undefined;
}

/** Rules and joined errors without their order, which is that of a lister; no text is the same as an empty one. */
function comparable(value: Answer[keyof Answer]): unknown {
  if (typeof value === 'string') return textParts(value);
  if (value === undefined) return [];
  if (typeof value === 'boolean') return value;
  return value.map((each) => JSON.stringify(typeof each === 'string' ? each : withLists(each))).sort();
}

const withLists = ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): Rule => ({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
});

/** Kubernetes joins several errors as `[a, b]`, alone or at the end of a text. */
function textParts(text: string): readonly string[] {
  if (text === '') return [];
  const joined = /^(?<before>[^]*?)\[+(?<errors>[^\][]*not found[^\][]*)\]+$/.exec(text)?.groups;
  if (joined === undefined) return [text];
  return [joined['before'] ?? '', ...(joined['errors'] ?? '').split(', ').sort()];
}
