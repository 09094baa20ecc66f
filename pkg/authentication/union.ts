import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';
import { unauthorized } from './unauthorized.ts';

type Found = UserInfo | undefined;

/**
 * Asks in turn and stops at the first that finds a user. One that finds the credentials wrong does not keep a later one
 * from taking the request; when none does, the request is unauthorized for all the reasons together. Anything else that
 * is thrown ends the asking.
 */
export const unionAuthenticator = (authenticators: readonly Authenticator[]): Authenticator => ({
  authenticate: (credentials) => ask(authenticators, credentials, 0, []),
});

// Most answers are known at once, and a request should not wait a turn for them: only a promise is awaited.
function ask(authenticators: readonly Authenticator[], credentials: Credentials, from: number, refusals: string[]): Found | Promise<Found> {
  for (let at = from; at < authenticators.length; at++) {
    try {
      const found = authenticators[at]?.authenticate(credentials);
      if (found instanceof Promise) {
        const rest = () => ask(authenticators, credentials, at + 1, refusals);
        return found.then(
          (user) => user ?? rest(),
          (error: unknown) => {
            refusals.push(refusalOf(error));
            return rest();
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
