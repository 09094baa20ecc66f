import { hash } from 'node:crypto';

/** What stands for a token wherever tokens are looked up. */
export const tokenDigest = (token: Uint8Array): string => hash('sha256', token, 'base64');
