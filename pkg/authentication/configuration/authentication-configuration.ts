/** The file of `--authentication-config` (AuthenticationConfiguration): OIDC issuers, and who may be anonymous. */
import {
  assertNoProblems,
  ConfigFileError,
  type ConfigProblem,
  parseConfigDocument,
} from '../../apimachinery/config-file/config-document.ts';
import { type ConfigShape, shapeProblems } from '../../apimachinery/config-file/config-shape.ts';
import type { AnonymousAccess } from '../anonymous.ts';
import { type JwtIssuer, SIGNING_ALGORITHMS } from '../oidc/issuer.ts';
import { authenticationProblems } from './authentication-rules.ts';

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[];
  /** Absent: as `--anonymous-auth` says. */
  readonly anonymous?: AnonymousAccess;
}

/** As written: types are correct, but any field may be absent. */
export interface WrittenConfiguration {
  readonly kind?: string | null;
  readonly apiVersion?: string | null;
  readonly jwt?: readonly WrittenJwt[] | null;
  readonly anonymous?: {
    readonly enabled?: boolean | null;
    readonly conditions?: readonly { readonly path?: string | null }[] | null;
  } | null;
}

export interface WrittenJwt {
  readonly issuer?: WrittenIssuer | null;
  readonly claimValidationRules?:
    readonly { readonly claim?: string; readonly requiredValue?: string; readonly expression?: string; readonly message?: string }[] | null;
  readonly claimMappings?: {
    readonly username?: WrittenMapping | null;
    readonly groups?: WrittenMapping | null;
    readonly uid?: WrittenMapping | null;
    readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[] | null;
  } | null;
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[] | null;
}

export interface WrittenIssuer {
  readonly url?: string | null;
  readonly discoveryURL?: string | null;
  readonly certificateAuthority?: string | null;
  readonly audiences?: readonly string[] | null;
  readonly audienceMatchPolicy?: string | null;
  readonly egressSelectorType?: string | null;
}

export interface WrittenMapping {
  readonly claim?: string | null;
  readonly prefix?: string | null;
  readonly expression?: string | null;
}

const MAPPING: ConfigShape = { fields: { claim: 'string', prefix: 'string', expression: 'string' } };

const SHAPE: ConfigShape = {
  fields: {
    kind: 'string',
    apiVersion: 'string',
    jwt: {
      list: {
        fields: {
          issuer: {
            fields: {
              url: 'string',
              discoveryURL: 'string',
              certificateAuthority: 'string',
              audiences: { list: 'string' },
              audienceMatchPolicy: 'string',
              egressSelectorType: 'string',
            },
          },
          claimValidationRules: { list: { fields: { claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' } } },
          claimMappings: {
            fields: {
              username: MAPPING,
              groups: MAPPING,
              uid: { fields: { claim: 'string', expression: 'string' } },
              extra: { list: { fields: { key: 'string', valueExpression: 'string' } } },
            },
          },
          userValidationRules: { list: { fields: { expression: 'string', message: 'string' } } },
        },
      },
    },
    anonymous: { fields: { enabled: 'boolean', conditions: { list: { fields: { path: 'string' } } } } },
  },
};

const KIND = 'AuthenticationConfiguration';
const VERSIONS: readonly string[] = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1', 'apiserver.config.k8s.io/v1alpha1'];

/** `path` is only used in messages; `own`: issuers that the file must not name. Throws ConfigFileError with all problems. */
export function parseAuthenticationConfiguration(text: string, path: string, own: readonly string[]): AuthenticationConfiguration {
  const document = parseConfigDocument(text, path);
  const { value } = document;
  if (typeof value !== 'object' || value === null) throw new ConfigFileError(`${path} is wrong in line 1: it must be an ${KIND}`);
  assertNoProblems(shapeProblems(SHAPE, value), path, document);
  const written = value as WrittenConfiguration; // checked by its shape
  assertNoProblems([...typeProblems(written), ...authenticationProblems(written, own)], path, document);
  return {
    issuers: (written.jwt ?? []).map(toIssuer),
    ...(written.anonymous == null ? {} : { anonymous: toAnonymous(written.anonymous) }),
  };
}

function typeProblems({ kind, apiVersion }: WrittenConfiguration): readonly ConfigProblem[] {
  return [
    ...(kind === KIND ? [] : [{ path: 'kind', message: `must be ${KIND}` }]),
    ...(apiVersion != null && VERSIONS.includes(apiVersion) ? [] : [{ path: 'apiVersion', message: `must be ${VERSIONS.join(' or ')}` }]),
  ];
}

function toAnonymous({ enabled, conditions }: NonNullable<WrittenConfiguration['anonymous']>): AnonymousAccess {
  const paths = (conditions ?? []).map(({ path }) => path ?? '');
  return { enabled: enabled === true, ...(paths.length === 0 ? {} : { paths: new Set(paths) }) };
}

/** What the rules require is there. */
function toIssuer({ issuer, claimMappings, claimValidationRules }: WrittenJwt): JwtIssuer {
  const { username, groups, uid } = claimMappings ?? {};
  return {
    url: issuer?.url ?? '',
    discoveryUrl: nonEmpty(issuer?.discoveryURL),
    certificateAuthority: nonEmpty(issuer?.certificateAuthority),
    audiences: issuer?.audiences ?? [],
    algorithms: SIGNING_ALGORITHMS,
    requiredClaims: (claimValidationRules ?? []).map(({ claim = '', requiredValue = '' }) => ({ claim, value: requiredValue })),
    username: { claim: username?.claim ?? '', prefix: username?.prefix ?? '' },
    groups: groups == null || isEmpty(groups.claim) ? undefined : { claim: groups.claim ?? '', prefix: groups.prefix ?? '' },
    uid: nonEmpty(uid?.claim),
  };
}

const isEmpty = (text: string | null | undefined): boolean => text == null || text === '';
const nonEmpty = (text: string | null | undefined): string | undefined => (isEmpty(text) ? undefined : (text ?? undefined));
