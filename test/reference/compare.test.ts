import { describe, expect, it } from '@jest/globals';
import { compareOutcomes } from './compare.ts';
import type { Outcome } from './outcome.ts';
import type { Tree } from './tree.ts';

const answer = (code: number, body: Tree, more: Partial<Outcome> = {}): Outcome => ({
  code,
  contentType: 'application/json',
  warnings: [],
  body,
  ...more,
});
const refusal = (message: string, causes: readonly Tree[] = []) =>
  answer(422, { kind: 'Status', reason: 'Invalid', message, details: { name: 'a', kind: 'CronJob', causes }, code: 422 });
const cause = (reason: string, field: string, message: string): Tree => ({ reason: `FieldValue${reason}`, field, message });

const summaries = (reference: Outcome, own: Outcome) => compareOutcomes(reference, own).map(({ summary }) => summary);

describe('Two answers', () => {
  it('are equal whatever the order of members and causes', () => {
    const [a, b] = [cause('Invalid', 'spec.a', 'x'), cause('Required', 'spec.b', 'y')];
    expect(summaries(refusal('m', [a, b]), refusal('m', [b, a]))).toEqual([]);
    expect(summaries(answer(200, { a: 1, b: 2 }), answer(200, { b: 2, a: 1 }))).toEqual([]);
  });

  it.each<[string, Outcome, Outcome, readonly string[]]>([
    [
      'their codes',
      answer(201, {}),
      refusal('m', [cause('Invalid', 'spec.list[3].name', 'x')]),
      ['code 201 → 422: Invalid spec.list[*].name'],
    ],
    ['their codes, without causes', refusal('a "x" of 5'), answer(200, {}), ['code 422 → 200: a "*" of N']],
    [
      'causes',
      refusal('m', [cause('Invalid', 'spec.map[a b]', 'x')]),
      refusal('m', [cause('Required', 'spec.map[a b]', 'x')]),
      ['cause - Invalid spec.map[*] + Required spec.map[*]'],
    ],
    [
      'the text of a cause',
      refusal('m', [cause('Invalid', 'spec', 'too long: 64')]),
      refusal('m', [cause('Invalid', 'spec', 'too short')]),
      ['message of Invalid spec: too long: N → too short'],
    ],
    ['messages', refusal('not "a"'), refusal('no'), ['message not "*" → no']],
    ['warnings', answer(200, {}, { warnings: ['a "b"'] }), answer(200, {}), ['warning - a "*"']],
    ['media types', answer(200, {}), answer(200, {}, { contentType: 'text/plain' }), ['content type application/json → text/plain']],
    ['members', answer(200, { spec: { a: [{ b: 1 }] } }), answer(200, { spec: { a: [{}] } }), ['object spec.a[*].b: number → absent']],
    ['numbers of elements', answer(200, { a: [1] }), answer(200, { a: [1, 2] }), ['object a: list of 1 → list of 2']],
    ['texts that are no JSON', answer(404, 'not found'), answer(404, 'no'), ['object body: string → string']],
    ['what is not an own member', answer(200, { toString: 1 }), answer(200, {}), ['object toString: number → absent']],
  ])('differ in %s', (_, reference, own, expected) => {
    expect(summaries(reference, own)).toEqual(expected);
  });
});
