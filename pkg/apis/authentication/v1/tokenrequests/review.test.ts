import { describe, expect, it } from '@jest/globals';
import { NO_TOKENS, testRequester } from '../../../../../test/support/requester.ts';
import { notFound } from '../../../../apimachinery/status/status-error.ts';
import type { TokenClaims, TokenService } from '../../../review.ts';
import { createReview } from './review.ts';

const review = createReview('example.org');
const NOW = Date.UTC(2026, 2, 14, 15, 9, 26);
const target = { namespace: 'ns', name: 'bot' };

/** The answer, and what the token is made of. */
async function ask(request: object, given: Partial<TokenService> = {}) {
  const issued: TokenClaims[] = [];
  const warnings: string[] = [];
  const tokens: TokenService = {
    ...NO_TOKENS,
    audiences: ['api'],
    uidOf: async (resource, { namespace, name }) => {
      const uids: Readonly<Record<string, string>> = { 'serviceaccounts ns/bot': 'u1', 'secrets ns/s': 'u2', 'nodes /n': 'u3' };
      const uid = uids[`${resource} ${namespace}/${name}`];
      if (uid === undefined) throw notFound({ group: '', resource }, name);
      return uid;
    },
    issue: async (claims) => {
      issued.push(claims);
      return 'signed';
    },
    ...given,
  };
  const question = { kind: 'TokenRequest', apiVersion: 'authentication.example.org/v1', metadata: {}, ...request };
  const requester = testRequester({ target, tokens, nowMs: NOW, warn: (text) => warnings.push(text) });
  const answer = await review.answer(review.applyDefaults?.(question) ?? question, requester);
  return { answer, issued, warnings };
}

describe('TokenRequest', () => {
  it('asks for a token of an hour, for this server, unless it says otherwise', async () => {
    const { answer, issued } = await ask({});
    expect(issued).toEqual([
      {
        namespace: 'ns',
        serviceAccount: { name: 'bot', uid: 'u1' },
        boundTo: undefined,
        audiences: ['api'],
        nowMs: NOW,
        expirationSeconds: 3600,
      },
    ]);
    expect(answer).toEqual({
      metadata: { ...target, uid: 'u1', creationTimestamp: '2026-03-14T15:09:26Z' },
      spec: { audiences: ['api'], expirationSeconds: 3600 },
      status: { token: 'signed', expirationTimestamp: '2026-03-14T16:09:26Z' },
    });
    const other = await ask({ spec: { audiences: ['vault'], expirationSeconds: 600n } });
    expect(other.issued).toMatchObject([{ audiences: ['vault'], expirationSeconds: 600 }]);
  });

  it.each([
    [
      { kind: 'Secret', apiVersion: 'v1', name: 's' },
      { as: 'secret', name: 's', uid: 'u2' },
    ],
    [
      { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'u2' },
      { as: 'secret', name: 's', uid: 'u2' },
    ],
    [
      { kind: 'Node', apiVersion: 'v1', name: 'n' },
      { as: 'node', name: 'n', uid: 'u3' },
    ],
  ])('may bind the token: %j', async (boundObjectRef, boundTo) => {
    const { answer, issued } = await ask({ spec: { boundObjectRef } });
    expect(issued).toMatchObject([{ boundTo }]);
    expect(answer['spec']).toMatchObject({ boundObjectRef });
  });

  it('is told when the token is shorter', async () => {
    const { answer, issued, warnings } = await ask({ spec: { expirationSeconds: 7200 } }, { maxExpirationSeconds: 4000 });
    expect(issued).toMatchObject([{ expirationSeconds: 4000 }]);
    expect(answer['spec']).toMatchObject({ expirationSeconds: 4000 });
    expect(warnings).toEqual(['requested expiration of 7200 seconds shortened to 4000 seconds']);
  });

  it.each([
    [
      { metadata: { name: 'x' } },
      'TokenRequest.authentication.example.org "bot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [{ metadata: { namespace: 'x' } }, 'the namespace of the provided object does not match the namespace sent on the request'],
    [
      { metadata: { uid: 'x' } },
      'Operation cannot be fulfilled on TokenRequest.authentication.example.org "bot": the UID in the token request (x) does not match the UID of the service account (u1)',
    ],
    [
      { spec: { expirationSeconds: 599 } },
      'TokenRequest.authentication.example.org "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [{ spec: { expirationSeconds: 4294967297 } }, 'Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds'],
    [{ spec: { boundObjectRef: {} } }, 'cannot bind token to object of type /, Kind='],
    [
      { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'apps/v1', name: 's' } } },
      'cannot bind token to object of type apps/v1, Kind=Secret',
    ],
    [{ spec: { boundObjectRef: { kind: 'toString', apiVersion: 'v1' } } }, 'cannot bind token to object of type /v1, Kind=toString'],
    [{ spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } } }, 'pods "p" not found'],
    [
      { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'x' } } },
      'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the UID in record.',
    ],
  ])('is refused in the words of Kubernetes: %j', async (request, message) => {
    await expect(ask(request)).rejects.toThrow(message);
  });
});
