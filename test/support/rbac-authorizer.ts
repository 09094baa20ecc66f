/** RBAC with the bootstrap policy, as a server has it after its first start. */
import { createAuthorizer } from '../../pkg/authorization/create-authorizer.ts';
import { createRbacAuthorizer } from '../../pkg/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '../../pkg/authorization/rbac/rbac-policy.ts';
import { createBootstrapPolicy } from '../../pkg/controllers/rbac/bootstrap-policy.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';

export function createTestAuthorizer(groupSuffix = DEFAULT_GROUP_SUFFIX) {
  const policy = new RbacPolicy(groupSuffix);
  const bootstrap = createBootstrapPolicy(groupSuffix);
  for (const role of [...bootstrap.clusterroles, ...bootstrap.roles]) policy.setRole(role);
  for (const binding of [...bootstrap.clusterrolebindings, ...bootstrap.rolebindings]) policy.setBinding(binding);
  return createAuthorizer([createRbacAuthorizer({ policy, assertComplete: () => undefined })]);
}
