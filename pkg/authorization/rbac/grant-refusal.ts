import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import { compactRules, describeRule, quotedList, uncoveredRules } from './covers.ts';
import { aggregate, rulesFor } from './rbac-authorizer.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import type { StoredRule } from './rule-allows.ts';

/** Why the user may not grant the rules in a namespace, in Kubernetes' words; undefined if she has all of them. */
export function grantRefusal(policy: RbacPolicy, user: UserInfo, namespace: string, rules: readonly StoredRule[]): string | undefined {
  const held = rulesFor(policy, user, namespace);
  const missing = uncoveredRules(held.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(describeRule))].sort();
  const errors = held.errors.length === 0 ? '' : `; resolution errors: [${aggregate(held.errors)}]`;
  const who = `user ${quotedText(user.name)} (groups=${quotedList(user.groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}`;
}
