import { joinUnique } from '../apimachinery/status/status-error.ts';
import type { RuleResolver } from './authorizer.ts';

/** All rules, in order. Incomplete if those of one resolver are; contains all errors. */
export const unionRuleResolver = (resolvers: readonly RuleResolver[]): RuleResolver => ({
  rulesFor: async (user, namespace) => {
    const all = await Promise.all(resolvers.map(async (resolver) => resolver.rulesFor(user, namespace)));
    const errors = all.flatMap(({ evaluationError }) => evaluationError ?? []);
    return {
      resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: all.some(({ incomplete }) => incomplete),
      ...(errors.length === 0 ? {} : { evaluationError: joinUnique(errors) }),
    };
  },
});
