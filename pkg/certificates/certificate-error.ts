/** A problem that the operator must fix. The message is one sentence that contains the file and the remedy. */
export class CertificateError extends Error {}

/** The message of an error, even from another realm. */
export const errorText = (error: unknown): string =>
  isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error);

export const isMissing = (error: unknown): boolean => isObject(error) && error['code'] === 'ENOENT';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
