/** Who may do what: the authorizers that the flags name, and what they follow. */
import { createRbacEscalation } from '../../pkg/admission/rbac-escalation/rbac-escalation.ts';
import { createVolumeAttachmentStatus } from '../../pkg/admission/volume-attachment-status/volume-attachment-status.ts';
import type { AdmissionPlugin } from '../../pkg/admission/admission.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import type { Authorizer, RuleResolver } from '../../pkg/authorization/authorizer.ts';
import { createRbacAuthorizer } from '../../pkg/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '../../pkg/authorization/rbac/rbac-policy.ts';
import { type FollowedRbac, followRbac } from '../../pkg/registry/follow-rbac.ts';
import type { RegistryStores } from '../../pkg/registry/registry.ts';
import { openAuthorizers, type OpenAuthorizersOptions } from './open-authorizers.ts';

export interface Access {
  readonly authorizer: Authorizer & RuleResolver;
  /** Plugins that ask who may do what. */
  readonly plugins: readonly AdmissionPlugin[];
  /** Before the caches are filled. */
  follow(stores: RegistryStores): void;
  /** Ends the polling of files. */
  close(): void;
}

/** Throws UsageError. */
export async function openAccess(shared: Omit<OpenAuthorizersOptions, 'rbac'>): Promise<Access> {
  const { groupSuffix } = shared.options;
  const policy = new RbacPolicy(groupSuffix);
  let followed: FollowedRbac | undefined;
  const assertComplete = () => {
    if (followed?.isComplete === true) return;
    throw new StatusError('ServiceUnavailable', 'access cannot be decided yet: roles and bindings are not loaded', {
      details: { retryAfterSeconds: 1 },
    });
  };
  const authorizers = await openAuthorizers({ ...shared, rbac: createRbacAuthorizer({ policy, assertComplete }) });
  const { authorizer } = authorizers;
  return {
    authorizer,
    plugins: [createRbacEscalation({ groupSuffix, policy, authorizer }), createVolumeAttachmentStatus({ groupSuffix, authorizer })],
    follow: (stores) => {
      followed = followRbac(stores, policy, groupSuffix);
    },
    close: () => authorizers.close(),
  };
}
