/** A problem that the operator must fix. The message is one sentence that contains the file and the remedy. */
export class CertificateError extends Error {}

export const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
