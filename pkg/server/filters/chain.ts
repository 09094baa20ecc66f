/**
 * The order in which a request is processed, one step per line. The steps of a write are in `pkg/registry/pipeline.ts`.
 */
import type { Responder } from '../transports/request.ts';
import { Scheduler } from '../../apimachinery/scheduling/scheduler.ts';
import { audit, type AuditOptions } from './audit.ts';
import { authenticate, type AuthenticateOptions } from './authenticate.ts';
import { authorize, type AuthorizeOptions } from './authorize.ts';
import { ChainBuilder } from './chain-builder.ts';
import { type AuthenticatedContext, RequestContext } from './context.ts';
import { cors, type CorsOptions } from './cors.ts';
import { deadline, type DeadlineOptions } from './deadline.ts';
import { createDispatch, type DispatchOptions } from './dispatch.ts';
import type { OpenRequests } from './drain.ts';
import { encode, type EncodeOptions } from './encode.ts';
import { flowControl, type FlowControlOptions } from './flow-control.ts';
import { goaway, type GoawayOptions } from './goaway.ts';
import { hostGuard } from './host-guard.ts';
import { impersonate, type ImpersonateOptions } from './impersonate.ts';
import { loopbackGuard } from './loopback-guard.ts';
import { measure, type MeasureOptions } from './measure.ts';
import { requestInfo } from './request-info.ts';
import { recovery, type RecoveryOptions } from './recovery.ts';
import { requestId, type RequestIdOptions } from './request-id.ts';
import { schedule } from './schedule.ts';
import { type SizeLimits, sizeLimits } from './size-limits.ts';
import { upgradeGuard } from './upgrade-guard.ts';
import { webSocketGuard, type WebSocketGuardOptions } from './websocket-guard.ts';

export interface ChainOptions
  extends
    RequestIdOptions,
    MeasureOptions,
    GoawayOptions,
    EncodeOptions,
    CorsOptions,
    RecoveryOptions,
    DeadlineOptions,
    WebSocketGuardOptions,
    AuthenticateOptions,
    AuditOptions,
    ImpersonateOptions,
    FlowControlOptions,
    AuthorizeOptions,
    DispatchOptions {
  readonly openRequests: OpenRequests;
  readonly sizeLimits: SizeLimits;
}

const buildChain = (options: ChainOptions): ChainBuilder<RequestContext, AuthenticatedContext> =>
  ChainBuilder.start()
    .contextFilter('request id', requestId(options))
    .filter('measure', measure(options))
    .filter('goaway', goaway(options))
    .filter('drain', options.openRequests.filter)
    .filter('schedule', schedule)
    .filter('cors', cors(options))
    .filter('encode', encode(options))
    .filter('recovery', recovery(options))
    .filter('deadline', deadline(options))
    .filter('host guard', hostGuard)
    .filter('upgrade guard', upgradeGuard)
    .filter('loopback guard', loopbackGuard(options))
    .contextFilter('size limits', sizeLimits(options.sizeLimits))
    .contextFilter('requestInfo', requestInfo)
    .filter('websocket guard', webSocketGuard(options))
    .contextFilter('authenticate', authenticate(options))
    .filter('audit', audit(options))
    .filter('impersonate', impersonate(options))
    .filter('flow control', flowControl(options))
    .filter('authorize', authorize(options));

export interface Chain {
  /** Never rejects. */
  readonly respond: Responder;
  /** Names of the steps, in order. The last one is the handler. */
  readonly steps: readonly string[];
}

export function createChain(options: ChainOptions): Chain {
  const chain = buildChain(options);
  const handle = chain.end(createDispatch(options));
  const { monotonicNow } = options;
  const scheduler = new Scheduler();
  return {
    respond: (request) => handle(new RequestContext(request, monotonicNow(), scheduler)),
    steps: [...chain.names, 'handler'],
  };
}
