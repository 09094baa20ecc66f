/** Defaults of probes and lifecycle handlers. */
import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withMembers } from '../../../with-members.ts';
import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from '../types.gen.ts';

export const withProbeDefaults = (probe: Unchecked<Probe>): Unchecked<Probe> =>
  withMembers(probe, {
    httpGet: ifGiven(probe.httpGet, withHttpGetDefaults),
    grpc: ifGiven(probe.grpc, (grpc) => withMembers(grpc, { service: grpc.service ?? '' })),
    timeoutSeconds: orDefault(probe.timeoutSeconds, 1),
    periodSeconds: orDefault(probe.periodSeconds, 10),
    successThreshold: orDefault(probe.successThreshold, 1),
    failureThreshold: orDefault(probe.failureThreshold, 3),
  });

export const withLifecycleDefaults = (lifecycle: Unchecked<Lifecycle>): Unchecked<Lifecycle> =>
  withMembers(lifecycle, {
    postStart: ifGiven(lifecycle.postStart, withHandlerDefaults),
    preStop: ifGiven(lifecycle.preStop, withHandlerDefaults),
  });

const withHandlerDefaults = (handler: Unchecked<LifecycleHandler>): Unchecked<LifecycleHandler> =>
  withMembers(handler, { httpGet: ifGiven(handler.httpGet, withHttpGetDefaults) });

const withHttpGetDefaults = (action: Unchecked<HTTPGetAction>): Unchecked<HTTPGetAction> =>
  withMembers(action, { path: orDefault(action.path, '/'), scheme: orDefault(action.scheme, 'HTTP') });
