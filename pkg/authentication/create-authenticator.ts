import { type AnonymousAccess, createAnonymousAuthenticator } from './anonymous.ts';
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';
import { createBearerTokenAuthenticator, type TokenAuthenticator } from './bearer-token.ts';
import { createClientCertificateAuthenticator } from './client-certificate.ts';
import { withAuthenticatedGroup } from './groups.ts';
import { insecurePortAuthenticator } from './insecure-port.ts';
import { createRequestHeaderAuthenticator, type RequestHeaderOptions } from './request-header.ts';
import { firstFound } from './union.ts';
import { createWebSocketTokenAuthenticator } from './websocket-token.ts';

export interface AuthenticatorOptions {
  /** In this order. */
  readonly tokens: readonly TokenAuthenticator[];
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  /** Absent: headers name no users. */
  readonly requestHeader?: RequestHeaderOptions | undefined;
  /** As it is now: it may change. */
  readonly anonymous: () => AnonymousAccess;
}

/**
 * Authenticates by insecure port, headers of a proxy, client certificate, and bearer token in a header or WebSocket
 * subprotocol, in this order. Requests without credentials are anonymous if that is allowed. Requests with invalid
 * credentials are rejected unless other credentials are valid.
 */
export function createAuthenticator({ tokens, audiences, requestHeader, anonymous }: AuthenticatorOptions): Authenticator {
  const bearer = { tokens: unionTokens(tokens), audiences };
  const known = [
    insecurePortAuthenticator,
    ...(requestHeader === undefined ? [] : [createRequestHeaderAuthenticator(requestHeader)]),
    createClientCertificateAuthenticator(),
    createBearerTokenAuthenticator(bearer),
    createWebSocketTokenAuthenticator(bearer),
  ];
  const identified = withAuthenticatedGroup({ authenticate: union(known) });
  const nobody = createAnonymousAuthenticator(anonymous);
  return {
    authenticate: (credentials) => {
      const found = identified.authenticate(credentials);
      if (found instanceof Promise) return found.then((user) => user ?? nobody.authenticate(credentials));
      return found ?? nobody.authenticate(credentials);
    },
  };
}

const union = (authenticators: readonly Authenticator[]) =>
  firstFound<Credentials, UserInfo>(authenticators.map((each) => (credentials) => each.authenticate(credentials)));

export const unionTokens = (authenticators: readonly TokenAuthenticator[]): TokenAuthenticator => ({
  authenticateToken: firstFound(authenticators.map((each) => (question) => each.authenticateToken(question))),
});
