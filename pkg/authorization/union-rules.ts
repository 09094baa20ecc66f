import type { RuleResolver } from './authorizer.ts';

/**
 * The rules of all of them, one after the other. They are incomplete when those of one are, and every error is told.
 */
export const unionRuleResolver = (resolvers: readonly RuleResolver[]): RuleResolver => ({
  rulesFor: async (user, namespace) => {
    const all = await Promise.all(resolvers.map(async (resolver) => resolver.rulesFor(user, namespace)));
    const errors = all.flatMap(({ evaluationError }) => evaluationError ?? []);
    return {
      resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: all.some(({ incomplete }) => incomplete),
      ...(errors.length === 0 ? {} : { evaluationError: joined(errors) }),
    };
  },
});

/** As Kubernetes joins errors: each once, in brackets when there are several. */
function joined(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? distinct.join('') : `[${distinct.join(', ')}]`;
}
