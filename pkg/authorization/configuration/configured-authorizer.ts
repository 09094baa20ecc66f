/** The authorizers that flags or a file ask for. */
import type { ReviewVersion } from '../webhook/subject-access-review.ts';

export const AUTHORIZATION_MODES = ['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Webhook'] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

export type ConfiguredAuthorizer =
  | { readonly type: Exclude<AuthorizationMode, 'Webhook'>; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookSettings };

export interface WebhookSettings {
  /** The file that says how it is reached. */
  readonly kubeconfig: string;
  readonly version: ReviewVersion;
  /** Of one call. */
  readonly timeoutMs: number;
  /** How long answers are remembered. 0: not at all. */
  readonly allowedMs: number;
  readonly notAllowedMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
}
