/** Continues the request as another user, if the sender may act as that user. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import { statusResponse } from '../responses/status-response.ts';
import { type AccessMeterOptions, createImpersonationMeter } from './access-meters.ts';
import { toAccessRequest } from './access-request.ts';
import type { AuthenticatedContext, Filter } from './context.ts';
import { impersonationOf, type WantedUser } from './impersonation-headers.ts';
import { createImpersonationModes, type ImpersonationModeOptions } from './impersonation-modes.ts';

export type ImpersonateOptions = Omit<ImpersonationModeOptions, 'measured'> & AccessMeterOptions;

/** Requesters whose last successful mode is known, which is tried first. */
const MAX_REQUESTERS = 10_000;

export const impersonate = (options: ImpersonateOptions): Filter<AuthenticatedContext> => {
  const meter = createImpersonationMeter(options);
  const modes = createImpersonationModes({ ...options, measured: meter.measured });
  const lastMode = new Map<string, number>();

  const impersonatedUser = async (context: AuthenticatedContext, wanted: WantedUser): Promise<UserInfo> => {
    const { user } = context;
    const request = toAccessRequest(context, context.user);
    const startedAt = options.monotonicNow();
    const last = lastMode.get(user.name);
    const order = [...modes.keys()].filter((mode) => mode !== last);
    let refusal: unknown;
    for (const index of last === undefined ? order : [last, ...order]) {
      const mode = modes[index];
      if (mode?.applies(wanted, user) !== true) continue;
      try {
        const impersonated = await mode.impersonate(wanted, request);
        if (lastMode.size >= MAX_REQUESTERS) lastMode.clear();
        lastMode.set(user.name, index);
        meter.allowed(startedAt, mode.name);
        return impersonated;
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'Forbidden') throw error;
        refusal ??= error;
      }
    }
    meter.refused(startedAt);
    throw refusal;
  };

  return (next) => {
    return (context) => {
      const wanted = impersonationOf(context.request);
      if (wanted === undefined) return next(context);
      return impersonatedUser(context, wanted).then(
        (user) => {
          context.audit?.impersonate(user);
          Object.assign(context, { user, impersonator: context.user });
          return next(context);
        },
        (error: unknown) => {
          if (!(error instanceof StatusError) || error.reason !== 'Forbidden') throw error;
          return statusResponse(error, { 'X-Content-Type-Options': 'nosniff' });
        },
      );
    };
  };
};
