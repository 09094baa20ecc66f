import { describe, expect, it } from '@jest/globals';
import { difference } from './differences.ts';
import type { Answer, Question } from './policy.ts';

const user = { name: 'alice', groups: [] };
const access: Question = { about: 'access', user, isResource: false, verb: 'get', path: '/' };
const rules: Question = { about: 'rules', user, namespace: 'a' };
const grant: Question = { about: 'grant', user, namespace: 'a', rules: [] };
const allowed = (...sources: readonly string[]): Answer => ({ allowed: true, sources });
const denied = (reason?: string): Answer => ({ allowed: false, ...(reason === undefined ? {} : { reason }) });
const get = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const list = { ...get, verbs: ['list'] };
const given = (more: Partial<Answer>): Answer => ({ allowed: false, ...more });

describe('Answers to a question', () => {
  it.each<[string, Question, Answer, Answer]>([
    ['one of several bindings', access, allowed('a', 'b'), allowed('b')],
    ['no reason', access, denied(), denied('')],
    [
      'the same roles missing',
      access,
      denied('RBAC: [x "a" not found, x "b" not found]'),
      denied('RBAC: [x "b" not found, x "a" not found]'),
    ],
    ['the same rules', rules, given({ resourceRules: [get, list] }), given({ resourceRules: [{ ...list, resourceNames: [] }, get] })],
    ['no rules', rules, given({}), given({ resourceRules: [], nonResourceRules: [] })],
    ['the same refusal', grant, given({ error: 'x:\n{}' }), given({ error: 'x:\n{}' })],
  ])('are equal: %s', (_title, question, expected, own) => {
    expect(difference(question, expected, own)).toBeUndefined();
  });

  it.each<[string, Question, Answer, Answer, string]>([
    ['the decision', access, allowed('a'), denied(), 'allowed: false instead of true'],
    ['the other decision', access, denied(), allowed('a'), 'allowed: true instead of false'],
    ['another binding', access, allowed('a', 'b'), allowed('c'), 'source: ["c"] is none of ["a","b"]'],
    ['no binding', access, allowed('a'), { allowed: true }, 'source: undefined is none of ["a"]'],
    ['the reason', access, denied('RBAC: x "a" not found'), denied(), 'reason: undefined instead of "RBAC: x \\"a\\" not found"'],
    ['a role missing', access, denied('RBAC: [x "a" not found, x "b" not found]'), denied('RBAC: x "a" not found'), 'reason: '],
    ['a rule', rules, given({ resourceRules: [get] }), given({ resourceRules: [list] }), 'resourceRules: '],
    ['a rule twice', rules, given({ resourceRules: [get] }), given({ resourceRules: [get, get] }), 'resourceRules: '],
    [
      'a word twice',
      rules,
      given({ resourceRules: [get] }),
      given({ resourceRules: [{ ...get, verbs: ['get', 'get'] }] }),
      'resourceRules: ',
    ],
    ['the grant', grant, given({ error: 'x' }), { allowed: true }, 'allowed: '],
    ['the refusal', grant, given({ error: 'x:\n{}' }), given({ error: 'x:\n{a}' }), 'error: '],
  ])('differ in %s', (_title, question, expected, own, text) => {
    expect(difference(question, expected, own)).toContain(text);
  });
});
