/**
 * The order in which a request is treated, one line per step. What a step needs of a request, a step before it has filled in. The last
 * line is the handler; what it does with a write is the registry's own list (`pkg/registry/pipeline.ts`).
 */
import type { Responder } from '../transports/request.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { audit } from './audit.ts';
import { authenticate } from './authenticate.ts';
import type { AuthenticateOptions } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { AuthorizeOptions } from './authorize.ts';
import { RequestContext } from './context.ts';
import { cors } from './cors.ts';
import type { CorsOptions } from './cors.ts';
import type { Filter } from './context.ts';
import { deadline } from './deadline.ts';
import type { DeadlineOptions } from './deadline.ts';
import { createDispatch } from './dispatch.ts';
import type { DispatchOptions } from './dispatch.ts';
import type { OpenRequests } from './drain.ts';
import { encode } from './encode.ts';
import type { EncodeOptions } from './encode.ts';
import { flowControl } from './flow-control.ts';
import { loopbackGuard } from './loopback-guard.ts';
import { measure } from './measure.ts';
import type { MeasureOptions } from './measure.ts';
import { requestInfo } from './parse-request-info.ts';
import { recovery } from './recovery.ts';
import type { RecoveryOptions } from './recovery.ts';
import { requestId } from './request-id.ts';
import type { RequestIdOptions } from './request-id.ts';
import { sizeLimits } from './size-limits.ts';
import type { SizeLimits } from './size-limits.ts';
import { schedule } from './schedule.ts';
import { webSocketGuard } from './websocket-guard.ts';
import type { WebSocketGuardOptions } from './websocket-guard.ts';

export interface ChainOptions
  extends
    RequestIdOptions,
    MeasureOptions,
    EncodeOptions,
    CorsOptions,
    RecoveryOptions,
    DeadlineOptions,
    WebSocketGuardOptions,
    AuthenticateOptions,
    AuthorizeOptions,
    DispatchOptions {
  readonly openRequests: OpenRequests;
  readonly sizeLimits: SizeLimits;
}

export const chainSteps = (options: ChainOptions): readonly (readonly [name: string, filter: Filter])[] => [
  ['request id', requestId(options)],
  ['measure', measure(options)],
  ['drain', options.openRequests.filter],
  ['schedule', schedule],
  ['cors', cors(options)],
  ['encode', encode(options)],
  ['recovery', recovery(options)],
  ['deadline', deadline(options)],
  ['loopback guard', loopbackGuard(options)],
  ['size limits', sizeLimits(options.sizeLimits)],
  ['requestInfo', requestInfo],
  ['websocket guard', webSocketGuard(options)],
  ['authenticate', authenticate(options)],
  ['audit', audit],
  ['flow control', flowControl],
  ['authorize', authorize(options)],
];

/** The whole chain. What it returns never rejects. */
export function createResponder(options: ChainOptions): Responder {
  const handle = chainSteps(options).reduceRight((next, [, filter]) => filter(next), createDispatch(options));
  const { monotonicNow } = options;
  const scheduler = new Scheduler();
  return (request) => handle(new RequestContext(request, monotonicNow(), scheduler));
}
