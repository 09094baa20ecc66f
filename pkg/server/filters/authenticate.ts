/** Authenticates the request. The client only gets Unauthorized; the reason is logged, without credentials. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authenticator, UserInfo } from '../../authentication/authenticator.ts';
import type { Log } from '../../observability/logging.ts';
import { auditFailedAuthentication, type AuditOptions } from './audit.ts';
import type { AuthenticatedContext, ContextFilter, RoutedContext } from './context.ts';

export interface AuthenticateOptions extends AuditOptions {
  readonly authenticator: Authenticator;
  readonly log: Log;
}

export const authenticate =
  (options: AuthenticateOptions): ContextFilter<RoutedContext, AuthenticatedContext> =>
  (next) => {
    const { authenticator, log } = options;
    const proceed = (context: RoutedContext, user: UserInfo | undefined) => {
      if (user === undefined)
        return refuse(context, new StatusError('Unauthorized', 'Unauthorized', { cause: new Error('no credentials') }));
      return next(Object.assign(context, { user }));
    };
    const refuse = (context: RoutedContext, error: unknown): never => {
      if (error instanceof StatusError) {
        const { auditId, request } = context;
        const reason = error.cause instanceof Error ? error.cause.message : error.message;
        auditFailedAuthentication(options, context, error);
        log.debug('request not authenticated', { auditId, remoteAddress: request.remoteAddress, reason });
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
      if (!(user instanceof Promise)) return proceed(context, user);
      return user.catch((error: unknown) => refuse(context, error)).then((found) => proceed(context, found));
    };
  };
