/** What a JWT (RFC 7519) says of itself, before its signature is verified: enough to tell who has to verify it. */
export interface UnverifiedToken {
  readonly issuer: string;
  readonly keyId: string | undefined;
}

/** Longer tokens are never verified. Headers allow 64 KB, and the claims are parsed on the event loop. */
const MAX_BYTES = 32 * 1024;

/** Undefined for anything but a JWT in compact form with an issuer. */
export function readUnverified(token: Buffer): UnverifiedToken | undefined {
  if (token.byteLength > MAX_BYTES) return undefined;
  const parts = token.toString('latin1').split('.');
  const [header, payload] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined) return undefined;
  const issuer = memberOf(payload, 'iss');
  return typeof issuer === 'string' ? { issuer, keyId: textOf(memberOf(header, 'kid')) } : undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function memberOf(part: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  } catch {
    return undefined;
  }
}
