import { anonymousAuthenticator } from './anonymous.ts';
import type { Authenticator } from './authenticator.ts';
import { createBearerTokenAuthenticator } from './bearer-token.ts';
import { createClientCertificateAuthenticator } from './client-certificate.ts';
import { withAuthenticatedGroup } from './groups.ts';
import { insecurePortAuthenticator } from './insecure-port.ts';
import type { TokenTable } from './token-file.ts';
import { unionAuthenticator } from './union.ts';
import { createWebSocketTokenAuthenticator } from './websocket-token.ts';

export interface AuthenticatorOptions {
  /** Of `--token-auth-file`. Absent: every token is invalid. */
  readonly tokens?: TokenTable;
  /** `--anonymous-auth`. */
  readonly anonymous: boolean;
}

/**
 * Authenticates by insecure port, client certificate, and bearer token in a header or WebSocket subprotocol, in this
 * order. Requests without credentials are anonymous if that is allowed. Requests with invalid credentials are rejected
 * unless other credentials are valid.
 */
export function createAuthenticator({ tokens = new Map(), anonymous }: AuthenticatorOptions): Authenticator {
  const known = unionAuthenticator([
    insecurePortAuthenticator,
    createClientCertificateAuthenticator(),
    createBearerTokenAuthenticator(tokens),
    createWebSocketTokenAuthenticator(tokens),
  ]);
  const identified = withAuthenticatedGroup(known);
  if (!anonymous) return identified;
  return {
    authenticate: (credentials) => {
      const found = identified.authenticate(credentials);
      if (found instanceof Promise) return found.then((user) => user ?? anonymousAuthenticator.authenticate(credentials));
      return found ?? anonymousAuthenticator.authenticate(credentials);
    },
  };
}
