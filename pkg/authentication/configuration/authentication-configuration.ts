/** The file of `--authentication-config` (AuthenticationConfiguration): OIDC issuers, and who may be anonymous. */
import {
  assertNoProblems,
  ConfigFileError,
  type ConfigProblem,
  parseConfigDocument,
} from '../../apimachinery/config-file/config-document.ts';
import { type FileShape, shapeProblems, withoutNulls } from '../../apimachinery/config-file/config-shape.ts';
import type { AnonymousAccess } from '../anonymous.ts';
import { type JwtIssuer, SIGNING_ALGORITHMS } from '../oidc/issuer.ts';
import { authenticationProblems } from './authentication-rules.ts';
import type { WrittenConfiguration, WrittenJwt } from './written-configuration.ts';

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[];
  /** Absent: as `--anonymous-auth` says. */
  readonly anonymous?: AnonymousAccess;
}

const MAPPING: FileShape = { fields: { claim: 'string', prefix: 'string', expression: 'string' } };

const SHAPE: FileShape = {
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
const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

export interface ConfigurationFile {
  /** Only used in messages. */
  readonly path: string;
  /** `apiserver.config.k8s.io` */
  readonly group: string;
  /** The issuers that this server itself is, which the file must not name. */
  readonly own: readonly string[];
}

/** Throws ConfigFileError with all problems. */
export function parseAuthenticationConfiguration(text: string, { path, group, own }: ConfigurationFile): AuthenticationConfiguration {
  const document = parseConfigDocument(text, path);
  const { value } = document;
  if (typeof value !== 'object' || value === null) throw new ConfigFileError(`${path} is wrong in line 1: it must be an ${KIND}`);
  assertNoProblems(shapeProblems(SHAPE, value), path, document);
  const written = withoutNulls(value) as WrittenConfiguration; // checked by its shape
  assertNoProblems([...typeProblems(written, group), ...authenticationProblems(written, own)], path, document);
  return {
    issuers: (written.jwt ?? []).map(toIssuer),
    ...(written.anonymous === undefined ? {} : { anonymous: toAnonymous(written.anonymous) }),
  };
}

function typeProblems({ kind, apiVersion = '' }: WrittenConfiguration, group: string): readonly ConfigProblem[] {
  const versions = VERSIONS.map((version) => `${group}/${version}`);
  return [
    ...(kind === KIND ? [] : [{ path: 'kind', message: `must be ${KIND}` }]),
    ...(versions.includes(apiVersion) ? [] : [{ path: 'apiVersion', message: `must be ${versions.join(' or ')}` }]),
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
    groups: nonEmpty(groups?.claim) === undefined ? undefined : { claim: groups?.claim ?? '', prefix: groups?.prefix ?? '' },
    uid: nonEmpty(uid?.claim),
  };
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
