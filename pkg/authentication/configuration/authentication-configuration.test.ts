import { describe, expect, it } from '@jest/globals';
import { SIGNING_ALGORITHMS } from '../oidc/issuer.ts';
import { parseAuthenticationConfiguration } from './authentication-configuration.ts';

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const OWN = ['https://own.example'];
const parse = (text: string) => parseAuthenticationConfiguration(text, { path: 'auth.yaml', group: 'apiserver.config.k8s.io', own: OWN });
/** The first issuer, in flow style on line 4. */
const issuer = (members: string, more = '') =>
  `${HEAD}jwt:\n- issuer: {${members}}\n  claimMappings: {username: {claim: sub, prefix: ""}${more}}\n`;
const VALID = 'url: https://a.example, audiences: [x]';

describe('AuthenticationConfiguration', () => {
  it('has issuers and who may be anonymous', () => {
    expect(
      parse(`${HEAD}
jwt:
- issuer:
    url: https://a.example
    discoveryURL: https://a.internal/config
    audiences: [x, "y"]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - claim: hd
    requiredValue: example.com
  claimMappings:
    username: { claim: email, prefix: "a:" }
    groups: { claim: roles, prefix: "" }
    uid: { claim: oid }
- issuer: { url: https://b.example, audiences: [z] }
  claimMappings: { username: { claim: sub, prefix: "" } }
anonymous:
  enabled: true
  conditions: [{ path: /livez }, { path: /readyz }]
`),
    ).toEqual({
      issuers: [
        {
          url: 'https://a.example',
          discoveryUrl: 'https://a.internal/config',
          audiences: ['x', 'y'],
          algorithms: SIGNING_ALGORITHMS,
          requiredClaims: [{ claim: 'hd', value: 'example.com' }],
          username: { claim: 'email', prefix: 'a:' },
          groups: { claim: 'roles', prefix: '' },
          uid: 'oid',
        },
        {
          url: 'https://b.example',
          audiences: ['z'],
          algorithms: SIGNING_ALGORITHMS,
          requiredClaims: [],
          username: { claim: 'sub', prefix: '' },
        },
      ],
      anonymous: { enabled: true, paths: new Set(['/livez', '/readyz']) },
    });
  });

  it('may be empty, JSON, or of an older version', () => {
    for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
      const text = JSON.stringify({ apiVersion: `apiserver.config.k8s.io/${version}`, kind: 'AuthenticationConfiguration' });
      expect(parse(text)).toEqual({ issuers: [] });
    }
    expect(parse(`${HEAD}anonymous: {enabled: false}\n`).anonymous).toEqual({ enabled: false });
  });

  it.each([
    ['', 'auth.yaml is wrong in line 1: it must be an AuthenticationConfiguration'],
    ['- a', 'auth.yaml is wrong in line 1: must be an object'],
    [
      'kind: Other\napiVersion: v1',
      'line 1: kind: must be AuthenticationConfiguration; line 2: apiVersion: must be apiserver.config.k8s.io/v1 or',
    ],
    [`${HEAD}jwt: [`, 'auth.yaml is wrong in line'],
    [`${HEAD}jwt: []\njwt: []`, 'auth.yaml is wrong in line 4: Map keys must be unique'],
    [`${HEAD}jwts: []`, 'auth.yaml is wrong in line 3: jwts: unknown field "jwts"'],
    [`${HEAD}__proto__: {}`, '__proto__: unknown field "__proto__"'],
    [`${HEAD}jwt:\n- issuer:\n    url: https://a\n    audience: x\n`, 'line 6: jwt[0].issuer.audience: unknown field "audience"'],
    [`${HEAD}jwt:\n- issuer:\n    url: 7\n`, 'line 5: jwt[0].issuer.url: must be a string'],
    [`${HEAD}jwt: [null]`, 'line 3: jwt[0]: must not be null'],
    [`${HEAD}anonymous: {enabled: maybe}`, 'line 3: anonymous.enabled: must be true or false'],
    [
      issuer(''),
      'line 4: jwt[0].issuer.url: Required value; jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    [issuer('url: http://a, audiences: [x]'), 'jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https'],
    [issuer('url: "https://u:p@a?b#c", audiences: [x]'), 'must not contain a username or password; jwt[0].issuer.url'],
    [issuer('url: nonsense, audiences: [x]'), 'jwt[0].issuer.url: Invalid value: "nonsense": it is no URL'],
    [issuer('url: https://own.example, audiences: [x]'), 'URL must not overlap with disallowed issuers: [https://own.example]'],
    [issuer(`${VALID}, discoveryURL: https://a.example/`), 'discoveryURL must be different from URL'],
    [
      issuer('url: https://a, audiences: [x, x]'),
      'jwt[0].issuer.audiences[1]: Duplicate value: "x"; jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [issuer('url: https://a, audiences: [""]'), 'jwt[0].issuer.audiences[0]: Required value'],
    [issuer(`${VALID}, audienceMatchPolicy: All`), 'audienceMatchPolicy must be empty or MatchAny for single audience'],
    [issuer(`${VALID}, certificateAuthority: nonsense`), 'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>"'],
    [issuer(`${VALID}, egressSelectorType: cluster`), 'egress selectors are not supported'],
    [issuer(VALID, ', groups: {claim: g}'), 'jwt[0].claimMappings.groups.prefix: Required value: prefix is required when claim is set'],
    [
      issuer(VALID, ', uid: {expression: claims.sub}'),
      'jwt[0].claimMappings.uid.expression: Invalid value: "claims.sub": expressions are not supported',
    ],
    [
      issuer(VALID, ', extra: [{key: a/b, valueExpression: "1"}]'),
      'jwt[0].claimMappings.extra[0].valueExpression: Invalid value: "1": expressions are not supported',
    ],
    [
      `${issuer(VALID)}  userValidationRules: [{expression: "true"}]\n`,
      'line 6: jwt[0].userValidationRules[0].expression: Invalid value: "true": expressions are not supported',
    ],
    [
      `${issuer(VALID)}  claimValidationRules: [{claim: a}, {claim: a}, {}, {expression: x}, {claim: b, message: c}]\n`,
      'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"; jwt[0].claimValidationRules[2]: Required value: claim or expression is required; jwt[0].claimValidationRules[3].expression: Invalid value: "x": expressions are not supported; jwt[0].claimValidationRules[4].message: Invalid value: "c": may not be specified when claim is set',
    ],
    [`${HEAD}jwt:\n- issuer: {${VALID}}\n`, 'line 4: jwt[0].claimMappings.username: Required value: claim or expression is required'],
    [
      `${HEAD}jwt:\n- issuer: {${VALID}}\n  claimMappings: {username: {expression: claims.sub}}\n`,
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.sub": expressions are not supported',
    ],
    [
      `${issuer(VALID)}- issuer: {${VALID}}\n  claimMappings: {username: {claim: sub, prefix: ""}}\n`,
      'line 6: jwt[1].issuer.url: Duplicate value: "https://a.example"',
    ],
    [
      `${HEAD}anonymous: {enabled: false, conditions: [{path: /a}]}`,
      'anonymous.conditions: Invalid value: enabled should be set to true when conditions are defined',
    ],
    [`${HEAD}jwt: [${Array.from({ length: 65 }, () => '{}').join(',')}]`, 'jwt: Too many: 65: must have at most 64 items'],
  ])('is refused with file, line and reason: %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});
