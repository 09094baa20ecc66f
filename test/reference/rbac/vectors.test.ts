/** What Kubernetes' own authorizer says about small policies. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { difference } from './differences.ts';
import { OwnRbac } from './own.ts';
import { VECTORS_FILE, type RbacVector } from './vectors.ts';

const vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as readonly RbacVector[];

describe('RBAC answers as Kubernetes does', () => {
  describe.each(vectors)('$name', ({ policy, questions }) => {
    const own = new OwnRbac();
    for (const object of policy) own.put(object);

    it.each(questions.map((question, index) => ({ ...question, number: index + 1 })))('$number: $about of $user.name', async (asked) => {
      const { number: _number, expected, ...question } = asked;
      expect(difference(question, expected, await own.answer(question))).toBeUndefined();
    });
  });
});
