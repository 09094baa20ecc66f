/** Counts and times requests. Labels come from a closed set, so that clients cannot create series. */
import type { Counter, Gauge, Histogram } from '../../observability/instruments.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { APPLY_PATCH, findPatchMediaType } from '../negotiation/patch-media-type.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import type { Filter, RequestContext } from './context.ts';
import type { ResourceRequest } from './parse-request-info.ts';
import { afterResponse } from './response-streams.ts';

export interface MeasureOptions {
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

interface Series {
  readonly total: Counter;
  readonly duration: Histogram;
  readonly sliDuration: Histogram;
  readonly sizes: Histogram;
  /** Created on first use: most requests need neither. */
  readonly longRunning: () => Gauge;
  readonly terminations: () => Counter;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const VERBS: Partial<Record<ResourceRequest['verb'], string>> = { list: 'LIST', watch: 'WATCH', deletecollection: 'DELETECOLLECTION' };
const COMPONENT = 'apiserver';

const scopeOf = ({ verb, name, namespace }: ResourceRequest): string => {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
};

/** As in Kubernetes, apply has its own verb. */
const patchVerb = ({ 'content-type': contentType }: ApiRequest['headers']): string =>
  findPatchMediaType(contentType) === APPLY_PATCH ? 'APPLY' : 'PATCH';

const isReading = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

export function measure({ metrics, monotonicNow }: MeasureOptions): Filter {
  const bySeriesKey = new Map<string, Series>();

  const bind = (labels: readonly string[], dryRun: string, code: string): Series => {
    const [verb = '', ...rest] = labels;
    return {
      total: metrics.requestTotal.with(verb, dryRun, ...rest, code),
      duration: metrics.requestDurationSeconds.with(verb, dryRun, ...rest),
      sliDuration: metrics.requestSliDurationSeconds.with(verb, dryRun, ...rest),
      sizes: metrics.responseSizes.with(...labels),
      longRunning: () => metrics.longRunningRequests.with(...labels),
      terminations: () => metrics.requestTerminationsTotal.with(...labels, code),
    };
  };

  const seriesOf = ({ request, info, resourceExists, query }: RequestContext, code: number): Series => {
    const method = METHODS.has(request.method) ? request.method : 'OTHER';
    const known = resourceExists && info?.isResource === true ? info : undefined;
    const verb = known === undefined ? method : known.verb === 'patch' ? patchVerb(request.headers) : (VERBS[known.verb] ?? method);
    const scope = known === undefined ? '' : scopeOf(known);
    const dryRun = request.query !== '' && !isReading(method) && query.first('dryRun') === 'All' ? 'All' : '';
    const key = `${verb} ${code} ${scope} ${dryRun} ${known?.resource ?? ''} ${known?.version ?? ''} ${known?.group ?? ''} ${known?.subresource ?? ''}`;
    let series = bySeriesKey.get(key);
    if (series === undefined) {
      const labels = [verb, known?.group ?? '', known?.version ?? '', known?.resource ?? '', known?.subresource ?? '', scope, COMPONENT];
      series = bind(labels, dryRun, String(code));
      bySeriesKey.set(key, series);
    }
    return series;
  };

  const reading = metrics.currentInflightRequests.with('readOnly');
  const mutating = metrics.currentInflightRequests.with('mutating');

  return (next) => async (context) => {
    const inflight = isReading(context.request.method) ? reading : mutating;
    inflight.add(1);
    const response: ApiResponse = await next(context);
    const series = seriesOf(context, response.code);
    series.total.inc();
    if (context.longRunning) {
      inflight.add(-1);
      const open = series.longRunning();
      open.add(1);
      return afterResponse(response, () => open.add(-1));
    }
    if ('body' in response) {
      let bytes = 0;
      for (const buffer of response.body) bytes += buffer.byteLength;
      series.sizes.observe(bytes);
    } else if (typeof response.headers['Content-Length'] === 'string') {
      series.sizes.observe(Number(response.headers['Content-Length']));
    }
    return afterResponse(response, () => {
      inflight.add(-1);
      const seconds = (monotonicNow() - context.startedAt) / 1000;
      series.duration.observe(seconds);
      series.sliDuration.observe(seconds);
      if (context.timedOut || context.wasDropped) series.terminations().inc();
    });
  };
}
