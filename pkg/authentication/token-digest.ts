import { hash } from 'node:crypto';

/** The key for looking up a token. */
export const tokenDigest = (token: Uint8Array): string => hash('sha256', token, 'base64');
