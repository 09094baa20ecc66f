/** Finds out who asks. Why somebody is nobody stands in the log at debug; the client is told one word, and no credentials are written anywhere. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authenticator, UserInfo } from '../../authentication/authenticator.ts';
import type { Log } from '../../observability/logging.ts';
import type { Filter, RequestContext } from './context.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  readonly log: Log;
}

export const authenticate =
  ({ authenticator, log }: AuthenticateOptions): Filter =>
  (next) => {
    const goOn = (context: RequestContext, user: UserInfo | undefined) => {
      if (user === undefined) throw new StatusError('Unauthorized', 'Unauthorized', { cause: new Error('no credentials were shown') });
      context.user = user;
      return next(context);
    };
    const refuse = (context: RequestContext, error: unknown): never => {
      if (error instanceof StatusError) {
        const { auditId, request } = context;
        const why = error.cause instanceof Error ? error.cause.message : error.message;
        log.debug('a request was not authenticated', { auditId, remoteAddress: request.remoteAddress, why });
      }
      throw error;
    };
    return (context) => {
      let user;
      try {
        user = authenticator.authenticate(context.request);
      } catch (error) {
        return refuse(context, error);
      }
      if (!(user instanceof Promise)) return goOn(context, user);
      return user.catch((error: unknown) => refuse(context, error)).then((found) => goOn(context, found));
    };
  };
