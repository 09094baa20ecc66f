import { describe, expect, it } from '@jest/globals';
import { NO_RULES, type AccessRules, type RuleResolver } from './authorizer.ts';
import { unionRuleResolver } from './union-rules.ts';

const alice = { name: 'alice', groups: [] };
const says = (rules: Partial<AccessRules>): RuleResolver => ({ rulesFor: () => ({ ...NO_RULES, ...rules }) });
const rulesOf = (...resolvers: readonly RuleResolver[]) => unionRuleResolver(resolvers).rulesFor(alice, 'default');
const mayDo = (verb: string) => ({ verbs: [verb], apiGroups: ['batch'], resources: ['cronjobs'] });
const path = { verbs: ['get'], nonResourceURLs: ['/healthz'] };

describe('Union of rule resolvers', () => {
  it('returns the rules of all, in order', async () => {
    const later: RuleResolver = { rulesFor: async () => ({ ...NO_RULES, resourceRules: [mayDo('list')] }) };
    expect(await rulesOf(later, says({ resourceRules: [mayDo('get')], nonResourceRules: [path] }))).toEqual({
      resourceRules: [mayDo('list'), mayDo('get')],
      nonResourceRules: [path],
      incomplete: false,
    });
    expect(await rulesOf()).toEqual(NO_RULES);
  });

  it('is incomplete if one is, with unique errors', async () => {
    expect(await rulesOf(says({}), says({ incomplete: true }))).toEqual({ ...NO_RULES, incomplete: true });
    expect(await rulesOf(says({ evaluationError: 'a' }), says({ evaluationError: 'a' }))).toEqual({ ...NO_RULES, evaluationError: 'a' });
    expect(await rulesOf(says({ evaluationError: 'a' }), says({ evaluationError: 'b' }))).toEqual({
      ...NO_RULES,
      evaluationError: '[a, b]',
    });
  });

  it('passes user and namespace', async () => {
    const asked: unknown[] = [];
    await rulesOf({
      rulesFor: (...about) => {
        asked.push(about);
        return NO_RULES;
      },
    });
    expect(asked).toEqual([[alice, 'default']]);
  });
});
