/** An OIDC issuer over HTTPS, whose keys can be exchanged and which can be down. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { openHttpsService, sendJson, type HttpsService } from './https-service.ts';

export interface OidcIssuer extends HttpsService {
  /** Questions so far. */
  readonly asked: () => number;
  /** Expires in an hour, unless `claims` say otherwise. */
  sign(claims: Readonly<Record<string, unknown>>, header?: { readonly kid?: string | undefined }): Promise<string>;
  /** Tokens are signed by a new key from now on; the old one is withdrawn. */
  rotate(): Promise<void>;
}

const ALGORITHM = 'ES256';

export async function openOidcService(): Promise<OidcIssuer> {
  let asked = 0;
  let generation = 0;
  let keys = await newKeys();
  const service: HttpsService = await openHttpsService(({ url: path = '' }, response) => {
    asked++;
    if (path === '/.well-known/openid-configuration') {
      sendJson(response, { issuer: service.url, jwks_uri: `${service.url}/keys`, id_token_signing_alg_values_supported: [ALGORITHM] });
    } else if (path === '/keys') sendJson(response, { keys: [keys.jwk] });
    else if (path === '/moved') response.writeHead(302, { Location: '/.well-known/openid-configuration' }).end();
    else sendJson(response, {}, 404);
  });
  async function newKeys() {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
    const kid = `key-${generation++}`;
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: ALGORITHM } };
  }
  return {
    ...service,
    asked: () => asked,
    sign: (claims, { kid = keys.kid } = {}) =>
      new SignJWT({ iss: service.url, exp: Math.floor(Date.now() / 1000) + 3600, ...claims })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .sign(keys.privateKey),
    rotate: async () => {
      keys = await newKeys();
    },
  };
}
