/** The file of `--authorization-config` (AuthorizationConfiguration): the authorizers, in their order. */
import {
  assertNoProblems,
  ConfigFileError,
  type ConfigProblem,
  parseConfigDocument,
} from '../../apimachinery/config-file/config-document.ts';
import { type FileShape, shapeProblems, withoutNulls } from '../../apimachinery/config-file/config-shape.ts';
import { parseDuration } from '../../apimachinery/time/duration.ts';
import { authorizationProblems, DEFAULT_AUTHORIZED_TTL, DEFAULT_UNAUTHORIZED_TTL } from './authorization-rules.ts';
import type { AuthorizationMode, ConfiguredAuthorizer, WebhookSettings } from './configured-authorizer.ts';
import type { WrittenAuthorizer, WrittenAuthorization, WrittenWebhook } from './written-authorization.ts';

const SHAPE: FileShape = {
  fields: {
    kind: 'string',
    apiVersion: 'string',
    authorizers: {
      list: {
        fields: {
          type: 'string',
          name: 'string',
          webhook: {
            fields: {
              authorizedTTL: 'string',
              cacheAuthorizedRequests: 'boolean',
              unauthorizedTTL: 'string',
              cacheUnauthorizedRequests: 'boolean',
              timeout: 'string',
              subjectAccessReviewVersion: 'string',
              matchConditionSubjectAccessReviewVersion: 'string',
              failurePolicy: 'string',
              connectionInfo: { fields: { type: 'string', kubeConfigFile: 'string' } },
              matchConditions: { list: { fields: { expression: 'string' } } },
            },
          },
        },
      },
    },
  },
};

const KIND = 'AuthorizationConfiguration';
const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

export interface AuthorizationFile {
  /** Only used in messages. */
  readonly path: string;
  /** `apiserver.config.k8s.io` */
  readonly group: string;
}

/** Throws ConfigFileError with all problems. */
export function parseAuthorizationConfiguration(text: string, { path, group }: AuthorizationFile): readonly ConfiguredAuthorizer[] {
  const document = parseConfigDocument(text, path);
  const { value } = document;
  if (typeof value !== 'object' || value === null) throw new ConfigFileError(`${path} is wrong in line 1: it must be an ${KIND}`);
  // Of another kind of file, every field would be unknown.
  assertNoProblems(typeProblems(value, group), path, document);
  assertNoProblems(shapeProblems(SHAPE, value), path, document);
  const written = withoutNulls(value) as WrittenAuthorization; // checked by its shape
  assertNoProblems(authorizationProblems(written), path, document);
  return (written.authorizers ?? []).map(toAuthorizer);
}

function typeProblems({ kind, apiVersion = '' }: WrittenAuthorization, group: string): readonly ConfigProblem[] {
  const versions = VERSIONS.map((version) => `${group}/${version}`);
  return [
    ...(kind === KIND ? [] : [{ path: 'kind', message: `must be ${KIND}` }]),
    ...(versions.includes(apiVersion) ? [] : [{ path: 'apiVersion', message: `must be ${versions.join(' or ')}` }]),
  ];
}

/** The assertions are safe: the rules hold. */
const toAuthorizer = ({ type, name = '', webhook = {} }: WrittenAuthorizer): ConfiguredAuthorizer =>
  type === 'Webhook' ? { type, name, webhook: toWebhook(webhook) } : { type: type as Exclude<AuthorizationMode, 'Webhook'>, name };

function toWebhook(written: WrittenWebhook): WebhookSettings {
  const { cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = written;
  return {
    kubeconfig: written.connectionInfo?.kubeConfigFile ?? '',
    version: written.subjectAccessReviewVersion === 'v1beta1' ? 'v1beta1' : 'v1',
    timeoutMs: toMilliseconds(written.timeout, ''),
    allowedMs: cacheAuthorizedRequests ? toMilliseconds(written.authorizedTTL, DEFAULT_AUTHORIZED_TTL) : 0,
    notAllowedMs: cacheUnauthorizedRequests ? toMilliseconds(written.unauthorizedTTL, DEFAULT_UNAUTHORIZED_TTL) : 0,
    failurePolicy: written.failurePolicy === 'NoOpinion' ? 'NoOpinion' : 'Deny',
  };
}

/** Zero counts as absent. */
function toMilliseconds(written: string | undefined, byDefault: string): number {
  const nanoseconds = parseDuration(written ?? '') ?? 0n;
  return Number(nanoseconds === 0n ? (parseDuration(byDefault) ?? 0n) : nanoseconds) / 1e6;
}
