import { describe, expect, it } from '@jest/globals';
import { parseAuthorizationConfiguration } from './authorization-configuration.ts';

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n';
const parse = (text: string) => parseAuthorizationConfiguration(text, { path: 'a.yaml', group: 'apiserver.config.k8s.io' });
const VALID: Readonly<Record<string, unknown>> = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/hook.yaml' },
};
const webhook = (change: object = {}, more: object = {}) => ({ type: 'Webhook', name: 'hook', webhook: { ...VALID, ...change }, ...more });
/** The first authorizer is in line 4. */
const file = (...authorizers: readonly object[]) =>
  `${HEAD}authorizers:\n${authorizers.map((authorizer) => `- ${JSON.stringify(authorizer)}\n`).join('')}`;
const problemOf = (text: string): string => {
  try {
    parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^a\.yaml is wrong in /, '') : '';
  }
};

describe('AuthorizationConfiguration', () => {
  it('has the authorizers in their order, with the defaults of webhooks', () => {
    expect(
      parse(`${HEAD}
authorizers:
- type: Webhook
  name: first.example.com
  webhook:
    authorizedTTL: 1m30s
    unauthorizedTTL: 500ms
    cacheUnauthorizedRequests: false
    timeout: 3s
    subjectAccessReviewVersion: v1beta1
    failurePolicy: NoOpinion
    connectionInfo: { type: KubeConfigFile, kubeConfigFile: /etc/first.yaml }
- { type: RBAC, name: rbac }
- type: Webhook
  name: second
  webhook: ${JSON.stringify({ ...VALID, authorizedTTL: '0s' })}
`),
    ).toEqual([
      {
        type: 'Webhook',
        name: 'first.example.com',
        webhook: {
          kubeconfig: '/etc/first.yaml',
          version: 'v1beta1',
          timeoutMs: 3000,
          allowedMs: 90_000,
          notAllowedMs: 0,
          failurePolicy: 'NoOpinion',
        },
      },
      { type: 'RBAC', name: 'rbac' },
      {
        type: 'Webhook',
        name: 'second',
        webhook: {
          kubeconfig: '/etc/hook.yaml',
          version: 'v1',
          timeoutMs: 3000,
          allowedMs: 300_000,
          notAllowedMs: 30_000,
          failurePolicy: 'Deny',
        },
      },
    ]);
  });

  it.each(['v1beta1', 'v1alpha1'])('may be of the version %s', (version) => {
    expect(parse(file({ type: 'RBAC', name: 'rbac' }).replace('io/v1', `io/${version}`))).toEqual([{ type: 'RBAC', name: 'rbac' }]);
  });

  it.each([
    ['', 'line 1: it must be an AuthorizationConfiguration'],
    ['kind: Policy\nrules: []', 'line 1: kind: must be AuthorizationConfiguration; apiVersion: must be apiserver.config.k8s.io/v1'],
    [HEAD, 'line 1: authorizers: Required value: at least one authorization mode must be defined'],
    [`${HEAD}authorizer: []`, 'line 3: authorizer: unknown field "authorizer"'],
    [`${HEAD}authorizers: {}`, 'line 3: authorizers: must be a list'],
    [`${HEAD}authorizers: [a: b`, 'line 3: '],
    [file({ type: 'RBAC', name: 'rbac', webHook: {} }), 'line 4: authorizers[0].webHook: unknown field "webHook"'],
    [file(webhook({ failurepolicy: 'Deny' })), 'line 4: authorizers[0].webhook.failurepolicy: unknown field "failurepolicy"'],
    [file({ name: 'rbac' }), 'line 4: authorizers[0].type: Required value'],
    [
      file({ type: 'Rbac', name: 'rbac' }),
      'line 4: authorizers[0].type: Unsupported value: "Rbac": supported values: "AlwaysAllow", "AlwaysDeny", "RBAC", "Webhook"',
    ],
    [file({ type: 'RBAC', name: 'rbac' }, { type: 'RBAC', name: 'again' }), 'line 5: authorizers[1].type: Duplicate value: "RBAC"'],
    [file({ type: 'RBAC' }), 'line 4: authorizers[0].name: Required value'],
    [
      file({ type: 'RBAC', name: 'roles' }),
      'line 4: authorizers[0].name: Invalid value: "roles": expected name rbac for authorizer RBAC instead of roles',
    ],
    [file(webhook(), webhook()), 'line 5: authorizers[1].name: Duplicate value: "hook"'],
    [file(webhook({}, { name: 'Hook' })), 'line 4: authorizers[0].name: Invalid value: "Hook": authorizer name is invalid: a lowercase'],
    [file({ type: 'Webhook', name: 'hook' }), 'line 4: authorizers[0].webhook: Required value: required when type=Webhook'],
    [
      file({ type: 'RBAC', name: 'rbac', webhook: VALID }),
      'line 4: authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    [file(webhook({ timeout: null })), 'line 4: authorizers[0].webhook.timeout: Required value'],
    [file(webhook({ timeout: '0s' })), 'line 4: authorizers[0].webhook.timeout: Required value'],
    [file(webhook({ timeout: '31s' })), 'line 4: authorizers[0].webhook.timeout: Invalid value: "31s": must be > 0s and <= 30s'],
    [file(webhook({ timeout: 'soon' })), 'line 4: authorizers[0].webhook.timeout: Invalid value: "soon": time: invalid duration "soon"'],
    [file(webhook({ timeout: 3 })), 'line 4: authorizers[0].webhook.timeout: must be a string'],
    [file(webhook({ authorizedTTL: '-1s' })), 'line 4: authorizers[0].webhook.authorizedTTL: Invalid value: "-1s": must be > 0s'],
    [file(webhook({ unauthorizedTTL: '-1m' })), 'line 4: authorizers[0].webhook.unauthorizedTTL: Invalid value: "-1m0s": must be > 0s'],
    [file(webhook({ subjectAccessReviewVersion: '' })), 'line 4: authorizers[0].webhook.subjectAccessReviewVersion: Required value'],
    [
      file(webhook({ subjectAccessReviewVersion: 'v2' })),
      'line 4: authorizers[0].webhook.subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
    ],
    [file(webhook({ failurePolicy: null })), 'line 4: authorizers[0].webhook.failurePolicy: Required value'],
    [
      file(webhook({ failurePolicy: 'Ignore' })),
      'line 4: authorizers[0].webhook.failurePolicy: Unsupported value: "Ignore": supported values: "NoOpinion", "Deny"',
    ],
    [file(webhook({ connectionInfo: null })), 'line 4: authorizers[0].webhook.connectionInfo.type: Required value'],
    [
      file(webhook({ connectionInfo: { type: 'InClusterConfig' } })),
      'line 4: authorizers[0].webhook.connectionInfo.type: Invalid value: "InClusterConfig": only KubeConfigFile is supported',
    ],
    [
      file(webhook({ connectionInfo: { type: 'KubeConfigFile' } })),
      'line 4: authorizers[0].webhook.connectionInfo.kubeConfigFile: Required value',
    ],
    [
      file(webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'hook.yaml' } })),
      'line 4: authorizers[0].webhook.connectionInfo.kubeConfigFile: Invalid value: "hook.yaml": must be an absolute path',
    ],
    [
      file(webhook({ matchConditions: [{ expression: 'true' }] })),
      'line 4: authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [
      file(webhook({ matchConditionSubjectAccessReviewVersion: 'v1', matchConditions: [{ expression: 'true' }] })),
      'line 4: authorizers[0].webhook.matchConditions[0].expression: Invalid value: "true": match conditions (CEL) are not supported',
    ],
    [
      file(webhook({ matchConditionSubjectAccessReviewVersion: 'v1beta1' })),
      'line 4: authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
    ],
    [
      file(webhook({ timeout: null, failurePolicy: null }), { type: 'RBAC' }),
      'line 4: authorizers[0].webhook.timeout: Required value; authorizers[0].webhook.failurePolicy: Required value; line 5: authorizers[1].name: Required value',
    ],
  ])('is refused with line and reason: %j', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});
