/** Finds out who asks. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authenticator } from '../../authentication/authenticator.ts';
import type { Filter } from './context.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
}

export const authenticate =
  ({ authenticator }: AuthenticateOptions): Filter =>
  (next) =>
  (context) => {
    const user = authenticator.authenticate(context.request);
    if (user !== undefined && !(user instanceof Promise)) {
      context.user = user;
      return next(context);
    }
    return Promise.resolve(user).then((found) => {
      if (found === undefined) throw new StatusError('Unauthorized', 'Unauthorized');
      context.user = found;
      return next(context);
    });
  };
