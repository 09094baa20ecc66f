/** The rules of an AuthorizationConfiguration. The messages are those of Kubernetes. */
import { isAbsolute } from 'node:path';
import type { ConfigProblem } from '../../apimachinery/config-file/config-document.ts';
import { checkDnsSubdomain } from '../../apimachinery/meta/names.ts';
import { duplicateValue, invalidValue, notSupported, required, tooMany } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import { durationError, formatDuration, parseDuration } from '../../apimachinery/time/duration.ts';
import { AUTHORIZATION_MODES } from './configured-authorizer.ts';
import type { WrittenAuthorizer, WrittenAuthorization, WrittenWebhook } from './written-authorization.ts';

type AuthorizationCauses = readonly StatusCause[];

const SECOND = 1_000_000_000n;
const MAX_TIMEOUT = 30n * SECOND;
const MAX_CONDITIONS = 64;

export const DEFAULT_AUTHORIZED_TTL = '5m';
export const DEFAULT_UNAUTHORIZED_TTL = '30s';

export function authorizationProblems({ authorizers = [] }: WrittenAuthorization): readonly ConfigProblem[] {
  const causes =
    authorizers.length === 0
      ? [required('authorizers', 'at least one authorization mode must be defined')]
      : authorizers.flatMap((authorizer, index) => authorizerCauses(authorizer, authorizers.slice(0, index), `authorizers[${index}]`));
  return causes.map(({ field = '', message }) => ({ path: field, message }));
}

function authorizerCauses(authorizer: WrittenAuthorizer, before: readonly WrittenAuthorizer[], at: string): AuthorizationCauses {
  const { type = '', name = '', webhook } = authorizer;
  if (type === '') return [required(`${at}.type`)];
  if (!AUTHORIZATION_MODES.some((mode) => mode === type)) return [notSupported(`${at}.type`, type, AUTHORIZATION_MODES)];
  const isWebhook = type === 'Webhook';
  if (!isWebhook && before.some((each) => each.type === type)) return [duplicateValue(`${at}.type`, type)];
  return [
    ...nameCauses(authorizer, before, `${at}.name`),
    ...(isWebhook && webhook === undefined ? [required(`${at}.webhook`, 'required when type=Webhook')] : []),
    ...(isWebhook && webhook !== undefined ? webhookCauses(webhook, `${at}.webhook`) : []),
    ...(!isWebhook && webhook !== undefined ? [invalidValue(`${at}.webhook`, 'non-null', 'may only be specified when type=Webhook')] : []),
    ...(!isWebhook && name !== '' && name !== type.toLowerCase()
      ? [invalidValue(`${at}.name`, name, `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`)]
      : []),
  ];
}

function nameCauses({ name = '' }: WrittenAuthorizer, before: readonly WrittenAuthorizer[], field: string): AuthorizationCauses {
  if (name === '') return [required(field)];
  if (before.some((each) => each.name === name)) return [duplicateValue(field, name)];
  const problems = checkDnsSubdomain(name);
  return problems.length === 0 ? [] : [invalidValue(field, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

function webhookCauses(webhook: WrittenWebhook, at: string): AuthorizationCauses {
  const { timeout, authorizedTTL, unauthorizedTTL, subjectAccessReviewVersion: version = '', failurePolicy = '' } = webhook;
  return [
    ...durationCauses(timeout, `${at}.timeout`, MAX_TIMEOUT),
    ...durationCauses(authorizedTTL ?? DEFAULT_AUTHORIZED_TTL, `${at}.authorizedTTL`),
    ...durationCauses(unauthorizedTTL ?? DEFAULT_UNAUTHORIZED_TTL, `${at}.unauthorizedTTL`),
    ...choiceCauses(version, `${at}.subjectAccessReviewVersion`, ['v1', 'v1beta1']),
    ...choiceCauses(failurePolicy, `${at}.failurePolicy`, ['NoOpinion', 'Deny']),
    ...connectionCauses(webhook, `${at}.connectionInfo`),
    ...conditionCauses(webhook, at),
  ];
}

function durationCauses(written: string | undefined, field: string, max?: bigint): AuthorizationCauses {
  if (written === undefined) return [required(field)];
  const duration = parseDuration(written);
  if (duration === undefined) return [invalidValue(field, written, durationError(written))];
  // Zero counts as absent, and then has a default unless there is a maximum.
  if (duration === 0n) return max === undefined ? [] : [required(field)];
  if (duration > 0n && (max === undefined || duration <= max)) return [];
  return [invalidValue(field, formatDuration(duration), max === undefined ? 'must be > 0s' : 'must be > 0s and <= 30s')];
}

function choiceCauses(value: string, field: string, choices: readonly string[]): AuthorizationCauses {
  if (value === '') return [required(field)];
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

function connectionCauses({ connectionInfo: { type = '', kubeConfigFile = '' } = {} }: WrittenWebhook, at: string): AuthorizationCauses {
  // The server runs in no cluster whose API server could tell it.
  if (type === 'InClusterConfig') return [invalidValue(`${at}.type`, type, 'only KubeConfigFile is supported')];
  const causes = choiceCauses(type, `${at}.type`, ['InClusterConfig', 'KubeConfigFile']);
  if (causes.length > 0) return causes;
  if (kubeConfigFile === '') return [required(`${at}.kubeConfigFile`)];
  return isAbsolute(kubeConfigFile) ? [] : [invalidValue(`${at}.kubeConfigFile`, kubeConfigFile, 'must be an absolute path')];
}

function conditionCauses(
  { matchConditions = [], matchConditionSubjectAccessReviewVersion: version = '' }: WrittenWebhook,
  at: string,
): AuthorizationCauses {
  const versionField = `${at}.matchConditionSubjectAccessReviewVersion`;
  if (version === '' && matchConditions.length > 0) return [required(versionField, 'required if match conditions are specified')];
  const versionCauses = version === '' || version === 'v1' ? [] : [notSupported(versionField, version, ['v1'])];
  if (matchConditions.length > MAX_CONDITIONS) {
    return [...versionCauses, tooMany(`${at}.matchConditions`, matchConditions.length, MAX_CONDITIONS)];
  }
  return [
    ...versionCauses,
    ...matchConditions.map(({ expression = '' }, index) => {
      const field = `${at}.matchConditions[${index}].expression`;
      return expression.trim() === '' ? required(field) : invalidValue(field, expression, 'match conditions (CEL) are not supported');
    }),
  ];
}
