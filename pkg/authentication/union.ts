import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';
import { unauthorized } from './unauthorized.ts';

type Found = UserInfo | undefined;

/**
 * The first authenticator that finds a user decides. Invalid credentials do not prevent a later one from finding a
 * user; if none does, the error contains all reasons. Other errors are thrown immediately.
 */
export const unionAuthenticator = (authenticators: readonly Authenticator[]): Authenticator => ({
  authenticate: (credentials) => authenticateFrom(authenticators, credentials, 0, []),
});

// Awaits only promises, because most results are available immediately.
function authenticateFrom(
  authenticators: readonly Authenticator[],
  credentials: Credentials,
  from: number,
  refusals: string[],
): Found | Promise<Found> {
  for (let at = from; at < authenticators.length; at++) {
    try {
      const found = authenticators[at]?.authenticate(credentials);
      if (found instanceof Promise) {
        const next = () => authenticateFrom(authenticators, credentials, at + 1, refusals);
        return found.then(
          (user) => user ?? next(),
          (error: unknown) => {
            refusals.push(refusalOf(error));
            return next();
          },
        );
      }
      if (found !== undefined) return found;
    } catch (error) {
      refusals.push(refusalOf(error));
    }
  }
  if (refusals.length > 0) throw unauthorized(refusals.join('; '));
  return undefined;
}

function refusalOf(error: unknown): string {
  if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
