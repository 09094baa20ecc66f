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
  /** Of `--token-auth-file`. Absent: no token is known, and every one that is shown is wrong. */
  readonly tokens?: TokenTable;
  /** `--anonymous-auth`. */
  readonly anonymous: boolean;
}

/**
 * Everyone that the server knows: the insecure port's admin, then client certificates, then bearer tokens, in a header
 * or as a WebSocket's subprotocol. Who shows nothing is anonymous where that is allowed. Who shows something wrong is
 * refused, allowed or not, unless something else that was shown is right.
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
