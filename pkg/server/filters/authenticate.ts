/** Authenticates the request. The client only gets Unauthorized; the reason is logged, without credentials. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authenticator, UserInfo } from '../../authentication/authenticator.ts';
import type { Log } from '../../observability/logging.ts';
import { type AccessMeterOptions, createAuthenticationMeter } from './access-meters.ts';
import { auditFailedAuthentication, type AuditOptions } from './audit.ts';
import type { AuthenticatedContext, ContextFilter, RoutedContext } from './context.ts';

export interface AuthenticateOptions extends AuditOptions, AccessMeterOptions {
  readonly authenticator: Authenticator;
  readonly log: Log;
}

export const authenticate =
  (options: AuthenticateOptions): ContextFilter<RoutedContext, AuthenticatedContext> =>
  (next) => {
    const { authenticator, log, clock, metrics, monotonicNow } = options;
    const meter = createAuthenticationMeter(options);
    const remaining = metrics.clientCertificateExpirationSeconds.with();
    const proceed = (context: RoutedContext, user: UserInfo | undefined, startedAt: number) => {
      if (user === undefined) {
        meter.failed(startedAt);
        return refuse(context, new StatusError('Unauthorized', 'Unauthorized', { cause: new Error('no credentials') }));
      }
      meter.succeeded(startedAt, user.name);
      return next(Object.assign(context, { user }));
    };
    const refuseInvalid = (context: RoutedContext, error: unknown, startedAt: number): never => {
      meter.refused(startedAt);
      return refuse(context, error);
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
      const startedAt = monotonicNow();
      const { clientCertificate } = context.request;
      if (clientCertificate?.validUntil !== undefined) remaining.observe((clientCertificate.validUntil - clock.now()) / 1000);
      let user;
      try {
        user = authenticator.authenticate(context.request);
      } catch (error) {
        return refuseInvalid(context, error, startedAt);
      }
      if (!(user instanceof Promise)) return proceed(context, user, startedAt);
      return user.then(
        (found) => proceed(context, found, startedAt),
        (error: unknown) => refuseInvalid(context, error, startedAt),
      );
    };
  };
