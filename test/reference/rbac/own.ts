/** This server's RBAC, asked as Kubernetes' is. */
import { quotedText } from '../../../pkg/apimachinery/status/quoted-text.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../../pkg/apis/group-suffix.ts';
import type { Authorizer, RuleResolver } from '../../../pkg/authorization/authorizer.ts';
import { compactRules, describeRule, quotedList, uncoveredRules } from '../../../pkg/authorization/rbac/covers.ts';
import { aggregate, createRbacAuthorizer, rulesFor } from '../../../pkg/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '../../../pkg/authorization/rbac/rbac-policy.ts';
import type { AccessQuestion, Answer, GrantQuestion, Question, RbacObject, RulesQuestion } from './policy.ts';

const ALLOWED_BY = 'RBAC: allowed by ';

export class OwnRbac {
  readonly #policy = new RbacPolicy(DEFAULT_GROUP_SUFFIX);
  readonly #authorizer: Authorizer & RuleResolver = createRbacAuthorizer({ policy: this.#policy, assertComplete: () => undefined });

  /** Stores it instead of what has its kind, namespace and name. */
  put(object: RbacObject): void {
    if ('roleRef' in object) this.#policy.setBinding(object);
    else this.#policy.setRole(object);
  }

  remove(object: RbacObject): void {
    const { name, namespace = '' } = object.metadata;
    if ('roleRef' in object) this.#policy.removeBinding(namespace, name);
    else this.#policy.removeRole(namespace, name);
  }

  async answer(question: Question): Promise<Answer> {
    switch (question.about) {
      case 'access':
        return this.#access(question);
      case 'rules':
        return this.#rules(question);
      case 'grant':
        return this.#grant(question);
    }
  }

  async #access(question: AccessQuestion): Promise<Answer> {
    const { decision, reason } = await this.#authorizer.authorize(question);
    if (decision !== 'allow') return { allowed: false, ...(reason === undefined ? {} : { reason }) };
    return { allowed: true, sources: reason?.startsWith(ALLOWED_BY) === true ? [reason.slice(ALLOWED_BY.length)] : [] };
  }

  async #rules({ user, namespace }: RulesQuestion): Promise<Answer> {
    const { resourceRules, nonResourceRules, evaluationError } = await this.#authorizer.rulesFor(user, namespace);
    return { allowed: false, resourceRules, nonResourceRules, ...(evaluationError === undefined ? {} : { error: evaluationError }) };
  }

  #grant({ user, namespace, rules }: GrantQuestion): Answer {
    const held = rulesFor(this.#policy, user, namespace);
    const missing = compactRules(uncoveredRules(held.rules, rules));
    if (missing.length === 0) return { allowed: true };
    const lines = [...new Set(missing.map(describeRule))].sort();
    const errors = held.errors.length === 0 ? '' : `; resolution errors: [${aggregate(held.errors)}]`;
    const who = `user ${quotedText(user.name)} (groups=${quotedList(user.groups)})`;
    return { allowed: false, error: `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}` };
  }
}
