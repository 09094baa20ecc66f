import { isUtf8 } from 'node:buffer';
import type { Authenticator } from './authenticator.ts';
import { authenticateUser, type TokenSourceOptions } from './bearer-token.ts';
import { unauthorized } from './unauthorized.ts';

/** The suffix of the API groups may be another than Kubernetes' own. The token is base64url, without dots. */
const BEARER_PROTOCOL = /^base64url\.bearer\.authorization\.[a-z0-9.-]+\.([^.]*)$/;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Whether a WebSocket subprotocol carries a token. Such a protocol is never selected. */
export const isBearerProtocol = (protocol: string): boolean => BEARER_PROTOCOL.test(protocol);

/**
 * `Sec-WebSocket-Protocol: base64url.bearer.authorization.<suffix>.<token>, <another>`: browsers cannot set headers on
 * a WebSocket, so Kubernetes accepts a bearer token as a subprotocol. Another subprotocol is required, to be selected.
 */
export const createWebSocketTokenAuthenticator = (options: TokenSourceOptions): Authenticator => ({
  authenticate: ({ headers, upgrade }) => {
    if (upgrade === undefined) return undefined;
    const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
    const [shown, second] = protocols.filter(isBearerProtocol);
    if (shown === undefined) return undefined;
    if (second !== undefined) throw unauthorized('several WebSocket subprotocols carry a token');
    if (!protocols.some((protocol) => protocol !== '' && protocol !== shown))
      throw unauthorized('there is no WebSocket subprotocol besides the one with the token');
    const encoded = BEARER_PROTOCOL.exec(shown)?.[1] ?? '';
    const token = Buffer.from(encoded, 'base64url');
    if (!BASE64URL.test(encoded) || !isUtf8(token))
      throw unauthorized('the token in the WebSocket subprotocol is not UTF-8 text in base64url');
    return authenticateUser(options, token);
  },
});
