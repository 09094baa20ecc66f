/** This server's RBAC, asked as Kubernetes' is. */
import { DEFAULT_GROUP_SUFFIX } from '../../../pkg/apis/group-suffix.ts';
import type { Authorizer, RuleResolver } from '../../../pkg/authorization/authorizer.ts';
import { grantRefusal } from '../../../pkg/authorization/rbac/grant-refusal.ts';
import { createRbacAuthorizer } from '../../../pkg/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '../../../pkg/authorization/rbac/rbac-policy.ts';
import type { Change } from './history.ts';
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

  change(changes: readonly Change[]): void {
    for (const { object, isRemoved } of changes) {
      if (isRemoved) this.#remove(object);
      else this.put(object);
    }
  }

  #remove(object: RbacObject): void {
    const { name, namespace = '' } = object.metadata;
    if ('roleRef' in object) this.#policy.removeBinding(namespace, name);
    else this.#policy.removeRole(namespace, name);
  }

  /** As after a gap in the watch: everything is read again, one kind after the other. */
  readAgain(policy: readonly RbacObject[]): void {
    for (const scope of ['cluster', 'namespaced'] as const) {
      const inScope = policy.filter(({ metadata }) => (metadata.namespace === undefined) === (scope === 'cluster'));
      this.#policy.clearRoles(scope);
      for (const object of inScope) if (!('roleRef' in object)) this.put(object);
      this.#policy.clearBindings(scope);
      for (const object of inScope) if ('roleRef' in object) this.put(object);
    }
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
    const error = grantRefusal(this.#policy, user, namespace, rules);
    return error === undefined ? { allowed: true } : { allowed: false, error };
  }
}
