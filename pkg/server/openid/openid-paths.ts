/** The documents by which others verify tokens of ServiceAccounts. */
import type { OpenIdMetadata } from '../../authentication/service-accounts/openid-metadata.ts';
import type { ServedPath } from '../handlers/path-router.ts';

const MAX_AGE_SECONDS = 3600;

export const createOpenIdPaths = ({ configuration, keys }: OpenIdMetadata): readonly ServedPath[] => [
  document('/.well-known/openid-configuration', 'application/json', configuration),
  document('/openid/v1/jwks', 'application/jwk-set+json', keys),
];

const document = (path: string, contentType: string, body: Buffer): ServedPath => ({
  path,
  get: () => ({
    code: 200,
    headers: { 'Content-Type': contentType, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
    body: [body],
  }),
});
