/** Flags of `serve` about authorization, with the names of kube-apiserver. */
import { AUTHORIZATION_MODES, type AuthorizationMode } from '../../pkg/authorization/configuration/configured-authorizer.ts';
import { optional } from './flag.ts';
import { durationMs, oneOf, text } from './flag-parsers.ts';

function parseModes(value: string): readonly AuthorizationMode[] {
  const modes = value.split(',').map((word) => word.trim());
  const unknown = modes.find((word) => !AUTHORIZATION_MODES.some((mode) => mode === word));
  if (unknown !== undefined) throw new Error(`there is no mode ${JSON.stringify(unknown)}; there are ${AUTHORIZATION_MODES.join(', ')}`);
  if (new Set(modes).size < modes.length) throw new Error('a mode may be named once only');
  return modes as readonly AuthorizationMode[];
}

// Without defaults of their own, since `--authorization-config` excludes them.
export const AUTHORIZATION_FLAGS = {
  authorizationMode: optional({
    name: 'authorization-mode',
    placeholder: 'MODE,MODE',
    help: `What decides who may do what, in this order: ${AUTHORIZATION_MODES.join(', ')}. Members of system:masters may do everything. Default: RBAC.`,
    parse: parseModes,
  }),
  authorizationConfig: optional({
    name: 'authorization-config',
    placeholder: 'FILE',
    help: 'AuthorizationConfiguration (YAML or JSON): what decides, in its order, with any number of webhooks. Reloaded when it changes. Not with --authorization-mode or --authorization-webhook-* flags.',
    parse: text,
  }),
  authorizationWebhookConfigFile: optional({
    name: 'authorization-webhook-config-file',
    placeholder: 'FILE',
    help: 'Kubeconfig of the webhook of --authorization-mode=Webhook, which is asked who may do what (SubjectAccessReview).',
    parse: text,
  }),
  authorizationWebhookVersion: optional({
    name: 'authorization-webhook-version',
    placeholder: 'v1beta1|v1',
    help: 'Version of the SubjectAccessReviews that are sent to the webhook. Default: v1beta1.',
    parse: oneOf('v1beta1', 'v1'),
  }),
  authorizationWebhookCacheAuthorizedTtl: optional({
    name: 'authorization-webhook-cache-authorized-ttl',
    placeholder: 'DURATION',
    help: "How long the webhook's answer that something is allowed is remembered. 0s: not at all. Default: 5m.",
    parse: durationMs,
  }),
  authorizationWebhookCacheUnauthorizedTtl: optional({
    name: 'authorization-webhook-cache-unauthorized-ttl',
    placeholder: 'DURATION',
    help: 'The same for an answer that something is not allowed. Default: 30s.',
    parse: durationMs,
  }),
} as const;
