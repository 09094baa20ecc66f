/**
 * What a thrown value says. Errors of native modules may come from another realm, where `instanceof Error` does not
 * know them.
 */
export const errorText = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string' ? error.message : String(error);
