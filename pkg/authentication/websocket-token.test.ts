import { describe, expect, it } from '@jest/globals';
import type { Credentials } from './authenticator.ts';
import { toBearerToken } from './bearer-token.ts';
import { createTokenFileAuthenticator } from './token-file.ts';
import { createWebSocketTokenAuthenticator } from './websocket-token.ts';

const jane = { name: 'jane', groups: ['developers'] };
const table = new Map([[toBearerToken(Buffer.from('s3cr-ét')).digest, jane]]);
const audiences = ['this-server'];
const authenticator = createWebSocketTokenAuthenticator({ tokens: createTokenFileAuthenticator(() => table, audiences), audiences });
const PREFIX = 'base64url.bearer.authorization.k8s.io.';
const protocolOf = (token: string) => PREFIX + Buffer.from(token).toString('base64url');
const credentials = (protocols: string, upgrade?: Credentials['upgrade']): Credentials => ({
  headers: { 'sec-websocket-protocol': protocols },
  secure: true,
  remoteAddress: '192.0.2.1',
  upgrade,
});
const refusal = (protocols: string): unknown => {
  try {
    return authenticator.authenticate(credentials(protocols, 'websocket'));
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : error;
  }
};

describe('A token as a WebSocket subprotocol', () => {
  it.each([
    `${protocolOf('s3cr-ét')}, watch`,
    `watch,${protocolOf('s3cr-ét')}`,
    `${protocolOf('s3cr-ét').replace('k8s.io', 'example.com')}, watch`,
  ])('is accepted: %s', (protocols) => {
    expect(authenticator.authenticate(credentials(protocols, 'websocket'))).toBe(jane);
  });

  it('is ignored on other requests', () => {
    expect(authenticator.authenticate(credentials(`${protocolOf('s3cr-ét')}, watch`))).toBeUndefined();
  });

  it('is absent without such a protocol', () => {
    expect(authenticator.authenticate(credentials('watch', 'websocket'))).toBeUndefined();
  });

  it.each([
    [`${protocolOf('other')}, watch`, 'invalid bearer token'],
    [protocolOf('s3cr-ét'), 'there is no WebSocket subprotocol besides the one with the token'],
    [`${protocolOf('s3cr-ét')}, ${protocolOf('s3cr-ét')}, watch`, 'several WebSocket subprotocols carry a token'],
    [`${PREFIX}, watch`, 'the token in the WebSocket subprotocol is not UTF-8 text in base64url'],
    [`${PREFIX}a+b/, watch`, 'the token in the WebSocket subprotocol is not UTF-8 text in base64url'],
    [
      `${PREFIX}${Buffer.from([0xff, 0xfe]).toString('base64url')}, watch`,
      'the token in the WebSocket subprotocol is not UTF-8 text in base64url',
    ],
  ])('is rejected: %s', (protocols, why) => {
    expect(refusal(protocols)).toBe(why);
  });
});
