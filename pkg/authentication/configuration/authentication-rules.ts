/** The rules of an AuthenticationConfiguration. The messages are those of Kubernetes. */
import { X509Certificate } from 'node:crypto';
import type { ConfigProblem } from '../../apimachinery/config-file/config-document.ts';
import { invalidValue, required } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import { issuerUrlProblems } from './issuer-url.ts';
import type { WrittenConfiguration, WrittenIssuer, WrittenJwt, WrittenMapping } from './written-configuration.ts';

type Causes = readonly StatusCause[];

const MAX_ISSUERS = 64;
/** Expressions are in the language CEL. */
const NO_EXPRESSIONS = 'expressions are not supported';

export function authenticationProblems({ jwt, anonymous }: WrittenConfiguration, own: readonly string[]): readonly ConfigProblem[] {
  const issuers = jwt ?? [];
  if (issuers.length > MAX_ISSUERS)
    return [{ path: 'jwt', message: `Too many: ${issuers.length}: must have at most ${MAX_ISSUERS} items` }];
  const urls = issuers.map(({ issuer }) => issuer?.url ?? '');
  const discoveryUrls = issuers.map(({ issuer }) => issuer?.discoveryURL ?? '');
  const causes = [
    ...issuers.flatMap((each, index) => [
      ...jwtCauses(each, `jwt[${index}]`, own),
      ...duplicate(urls, index, `jwt[${index}].issuer.url`),
      ...(discoveryUrls[index] === '' ? [] : duplicate(discoveryUrls, index, `jwt[${index}].issuer.discoveryURL`)),
    ]),
    ...(anonymous?.enabled !== true && (anonymous?.conditions ?? []).length > 0
      ? [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: enabled should be set to true when conditions are defined',
            field: 'anonymous.conditions',
          } as const,
        ]
      : []),
  ];
  return causes.map(({ field = '', message }) => ({ path: field, message }));
}

function duplicate(values: readonly string[], index: number, field: string): Causes {
  const value = values[index] ?? '';
  if (values.indexOf(value) === index) return [];
  return [{ reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}`, field }];
}

function jwtCauses(
  { issuer, claimMappings, claimValidationRules, userValidationRules }: WrittenJwt,
  at: string,
  own: readonly string[],
): Causes {
  const { username, groups, uid, extra } = claimMappings ?? {};
  const rules = claimValidationRules ?? [];
  const claims = rules.map(({ claim = '' }) => claim);
  return [
    ...issuerCauses(issuer ?? {}, `${at}.issuer`, own),
    ...rules.flatMap((rule, index) => [
      ...ruleCauses(rule, `${at}.claimValidationRules[${index}]`),
      ...(claims[index] === '' ? [] : duplicate(claims, index, `${at}.claimValidationRules[${index}].claim`)),
    ]),
    ...mappingCauses(username ?? {}, `${at}.claimMappings.username`, true),
    ...mappingCauses(groups ?? {}, `${at}.claimMappings.groups`, false),
    ...expressionCauses(uid?.expression, `${at}.claimMappings.uid.expression`),
    ...(extra ?? []).map(({ valueExpression = '' }, index) =>
      invalidValue(`${at}.claimMappings.extra[${index}].valueExpression`, valueExpression, NO_EXPRESSIONS),
    ),
    ...(userValidationRules ?? []).map(({ expression = '' }, index) =>
      invalidValue(`${at}.userValidationRules[${index}].expression`, expression, NO_EXPRESSIONS),
    ),
  ];
}

function issuerCauses(issuer: WrittenIssuer, at: string, own: readonly string[]): Causes {
  const { url, discoveryURL, certificateAuthority, egressSelectorType } = issuer;
  const withoutSlash = (text: string) => text.replace(/\/+$/, '');
  return [
    ...(isEmpty(url) ? [required(`${at}.url`)] : urlCauses(url ?? '', `${at}.url`, own)),
    ...(isEmpty(discoveryURL)
      ? []
      : [
          ...(withoutSlash(url ?? '') === withoutSlash(discoveryURL ?? '')
            ? [invalidValue(`${at}.discoveryURL`, discoveryURL ?? '', 'discoveryURL must be different from URL')]
            : []),
          ...urlCauses(discoveryURL ?? '', `${at}.discoveryURL`, []),
        ]),
    ...audienceCauses(issuer, at),
    ...(isEmpty(certificateAuthority) || isCertificate(certificateAuthority ?? '')
      ? []
      : [invalidValue(`${at}.certificateAuthority`, '<omitted>', 'data does not contain any valid RSA or ECDSA certificates')]),
    ...(isEmpty(egressSelectorType)
      ? []
      : [invalidValue(`${at}.egressSelectorType`, egressSelectorType ?? '', 'egress selectors are not supported')]),
  ];
}

const urlCauses = (text: string, field: string, own: readonly string[]): Causes =>
  issuerUrlProblems(text, own).map((problem) => invalidValue(field, text, problem));

function audienceCauses({ audiences, audienceMatchPolicy: policy }: WrittenIssuer, at: string): Causes {
  const names = audiences ?? [];
  if (names.length === 0) return [required(`${at}.audiences`, `at least one ${at}.audiences is required`)];
  const policyField = `${at}.audienceMatchPolicy`;
  return [
    ...names.flatMap((name, index) => [
      ...(name === '' ? [required(`${at}.audiences[${index}]`)] : []),
      ...duplicate(names, index, `${at}.audiences[${index}]`),
    ]),
    ...(names.length > 1 && policy !== 'MatchAny'
      ? [invalidValue(policyField, policy ?? '', 'audienceMatchPolicy must be MatchAny for multiple audiences')]
      : []),
    ...(names.length === 1 && !isEmpty(policy) && policy !== 'MatchAny'
      ? [invalidValue(policyField, policy ?? '', 'audienceMatchPolicy must be empty or MatchAny for single audience')]
      : []),
  ];
}

function ruleCauses(
  { claim = '', expression = '', message = '' }: NonNullable<WrittenJwt['claimValidationRules']>[number],
  at: string,
): Causes {
  if (expression !== '') return [invalidValue(`${at}.expression`, expression, NO_EXPRESSIONS)];
  if (claim === '') return [required(at, 'claim or expression is required')];
  return message === '' ? [] : [invalidValue(`${at}.message`, message, 'may not be specified when claim is set')];
}

function mappingCauses({ claim, prefix, expression }: WrittenMapping, at: string, isRequired: boolean): Causes {
  if (!isEmpty(expression)) return expressionCauses(expression, `${at}.expression`);
  if (isEmpty(claim)) return isRequired ? [required(at, 'claim or expression is required')] : [];
  return prefix === undefined
    ? [required(`${at}.prefix`, 'prefix is required when claim is set. It can be set to an empty string to disable prefixing')]
    : [];
}

const expressionCauses = (expression: string | undefined, field: string): Causes =>
  isEmpty(expression) ? [] : [invalidValue(field, expression ?? '', NO_EXPRESSIONS)];

const isEmpty = (text: string | undefined): boolean => text === undefined || text === '';

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
