/** The message of a thrown value. Errors of another realm, as from native modules, fail `instanceof Error`. */
export const errorMessage = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string' ? error.message : String(error);
