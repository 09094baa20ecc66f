import { joinUnique, StatusError } from '../apimachinery/status/status-error.ts';

/** Why credentials are invalid: for the log and for TokenReviews. Reasons must not contain a secret. */
export class InvalidCredentials extends Error {
  readonly reasons: readonly string[];
  constructor(reasons: readonly string[]) {
    super(joinUnique(reasons));
    this.reasons = reasons;
  }
}

/** As in Kubernetes, clients only see one word. */
export const unauthorized = (...reasons: readonly string[]): StatusError =>
  new StatusError('Unauthorized', 'Unauthorized', { cause: new InvalidCredentials(reasons) });

/** Throws any error that is not about invalid credentials. */
export function refusalReasons(error: unknown): readonly string[] {
  if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
  return error.cause instanceof InvalidCredentials ? error.cause.reasons : [error.message];
}
