import { joinUnique, StatusError } from '../apimachinery/status/status-error.ts';

/** Why credentials are not accepted: for the log and for TokenReviews. Reasons must not contain a secret. */
export class InvalidCredentials extends Error {
  readonly reasons: readonly string[];
  /** Whoever knows could not be asked, so they may be valid. */
  readonly isUndecided: boolean;

  constructor(reasons: readonly string[], isUndecided: boolean) {
    super(joinUnique(reasons));
    this.reasons = reasons;
    this.isUndecided = isUndecided;
  }
}

/** As in Kubernetes, clients only see one word. */
const toStatusError = (cause: InvalidCredentials): StatusError => new StatusError('Unauthorized', 'Unauthorized', { cause });

export const unauthorized = (reason: string): StatusError => toStatusError(new InvalidCredentials([reason], false));

/** The answer while another server is down. */
export const undecided = (reason: string): StatusError => toStatusError(new InvalidCredentials([reason], true));

/** All of them. */
export const unauthorizedBy = (causes: readonly InvalidCredentials[]): StatusError =>
  toStatusError(
    new InvalidCredentials(
      causes.flatMap(({ reasons }) => reasons),
      causes.some(({ isUndecided }) => isUndecided),
    ),
  );

/** Throws any error that is not about credentials. */
export function refusalOf(error: unknown): InvalidCredentials {
  if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
  return error.cause instanceof InvalidCredentials ? error.cause : new InvalidCredentials([error.message], false);
}
