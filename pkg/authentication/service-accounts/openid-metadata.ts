/** The documents by which others verify tokens of ServiceAccounts (OpenID Connect Discovery 1.0, RFC 7517). */
import type { VerificationKey } from './keys.ts';

export interface OpenIdMetadata {
  readonly configuration: Buffer;
  readonly keys: Buffer;
}

export interface OpenIdMetadataOptions {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly keys: readonly VerificationKey[];
}

/** Undefined if the issuer is no URL that the documents may name. */
export function createOpenIdMetadata({ issuer, jwksUri, keys }: OpenIdMetadataOptions): OpenIdMetadata | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '') return undefined;
  return {
    configuration: toJson({
      issuer,
      jwks_uri: jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    }),
    keys: toJson({ keys: keys.map(toJwk) }),
  };
}

const toJson = (value: unknown) => Buffer.from(JSON.stringify(value));

function toJwk({ id, algorithm, key }: VerificationKey) {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
}
