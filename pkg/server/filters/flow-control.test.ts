import { describe, expect, it } from '@jest/globals';
import { MANDATORY } from '../../apis/flowcontrol/v1/bootstrap.ts';
import type { FlowConfiguration, LimitedLevel } from '../../flowcontrol/configuration.ts';
import { FlowController } from '../../flowcontrol/flow-controller.ts';
import { MaxInFlight } from '../../flowcontrol/max-in-flight.ts';
import { Turns } from '../../flowcontrol/turns.ts';
import { createMetrics } from '../../observability/metrics.ts';
import type { ApiResponse } from '../transports/request.ts';
import { type AuthenticatedContext, RequestContext } from './context.ts';
import { flowControl, type FlowControl } from './flow-control.ts';
import { parseRequestInfo } from './parse-request-info.ts';

const QUEUING = { queues: 1, handSize: 1, queueLengthLimit: 1 };
const JANE = { name: 'jane', groups: ['system:authenticated'] };
const ADMIN = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const OBJECT = '/api/v1/namespaces/default/configmaps/one';
const DONE: ApiResponse = { code: 200, headers: {}, body: [] };
const WAIT_MS = 1000;

const toConfiguration = (): FlowConfiguration => ({
  flowSchemas: Object.entries(MANDATORY.flowSchemas).map(([name, spec]) => ({ name, uid: `${name} schema`, spec })),
  priorityLevels: Object.entries(MANDATORY.priorityLevels).map(([name, spec]) => ({ name, uid: `${name} level`, spec })),
});

/** One level for all but administrators, with one seat. */
function fairness(limited: LimitedLevel): {
  readonly control: FlowControl;
  readonly controller: FlowController;
  readonly metrics: ReturnType<typeof createMetrics>;
} {
  const metrics = createMetrics({ version: 'v0', now: () => 0, processMetrics: false });
  const mandatory = toConfiguration();
  const controller = new FlowController({ serverSeats: 1, mandatory, metrics, now: () => performance.now() });
  const own = { name: 'own', uid: 'own level', spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1000, ...limited } } };
  const schema = {
    name: 'own',
    uid: 'own schema',
    spec: {
      priorityLevelConfiguration: { name: 'own' },
      matchingPrecedence: 10,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'jane' } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  };
  controller.configure({ flowSchemas: [schema], priorityLevels: [own] });
  const collectionSize = () => ({ objects: 10, bytes: 1000 });
  return { control: { by: 'fairness', controller, turns: new Turns(setImmediate), collectionSize }, controller, metrics };
}

function openFilter(control: FlowControl, metrics = createMetrics({ version: 'v0', now: () => 0, processMetrics: false })) {
  const running: ((response: ApiResponse | Error) => void)[] = [];
  const disconnects: (() => void)[] = [];
  const filter = flowControl({ flowControl: control, metrics, clock: { now: () => 5000 }, monotonicNow: () => performance.now() });
  const handle = filter<AuthenticatedContext>(
    () => new Promise((resolve, reject) => running.push((response) => (response instanceof Error ? reject(response) : resolve(response)))),
  );
  const send = (user = JANE, { method = 'GET', path = OBJECT, query = '' } = {}) => {
    const request = {
      ...({ method, path, query, headers: {}, protocol: 'h2', secure: true, remoteAddress: '' } as const),
      readBody: async () => Buffer.alloc(0),
      onDisconnect: (listener: () => void) => void disconnects.push(listener),
    };
    const bare = new RequestContext(request, performance.now());
    const info = parseRequestInfo(method, path, bare.query);
    const context: AuthenticatedContext = Object.assign(bare, { auditId: '', maxBodyBytes: 0, info, user });
    bare.setDeadline(WAIT_MS);
    const response = handle(context).finally(() => bare.clearDeadline());
    return { context, response };
  };
  return { send, running, disconnects };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Priority and fairness', () => {
  it('refuses what finds no seat, as Kubernetes, and tells where it belonged', async () => {
    const { control, metrics } = fairness({ limitResponse: { type: 'Reject' } });
    const { send, running } = openFilter(control, metrics);
    const first = send();
    const { context, response } = send();
    const refused = await response;
    expect(refused).toMatchObject({ code: 429, headers: { 'Retry-After': '1', 'Content-Type': 'text/plain; charset=utf-8' } });
    expect('body' in refused ? Buffer.concat(refused.body).toString() : '').toBe('Too many requests, please try again later.\n');
    expect(context.flow).toEqual({ flowSchemaUid: 'own schema', priorityLevelUid: 'own level' });
    expect(context.wasDropped).toBe(true);
    running[0]?.(DONE);
    expect(await first.response).toBe(DONE);
    expect(await metrics.expose()).toContain(
      'rejected_requests_total{priority_level="own",flow_schema="own",reason="concurrency-limit"} 1',
    );
    const next = send();
    running[1]?.(DONE);
    expect((await next.response).code).toBe(200);
  });

  it('never refuses an administrator', async () => {
    const { send, running } = openFilter(fairness({ limitResponse: { type: 'Reject' } }).control);
    const sent = Array.from({ length: 50 }, () => send(ADMIN));
    expect(running).toHaveLength(50);
    for (const answer of running) answer(DONE);
    await Promise.all(sent.map(({ response }) => response));
  });

  it('lets requests wait for a seat, and frees it when one fails', async () => {
    const { control, metrics } = fairness({ limitResponse: { type: 'Queue', queuing: QUEUING } });
    const { send, running } = openFilter(control, metrics);
    const first = send();
    const second = send();
    const third = await send().response;
    expect([running.length, third.code]).toEqual([1, 429]);
    expect(await metrics.expose()).toContain('apiserver_current_inqueue_requests{request_kind="readOnly"} 1');
    running[0]?.(new Error('a bug'));
    await expect(first.response).rejects.toThrow('a bug');
    await settled();
    expect(running).toHaveLength(2);
    running[1]?.(DONE);
    expect((await second.response).code).toBe(200);
  });

  it('refuses who has waited for a quarter of the time of the request', async () => {
    const { control, metrics } = fairness({ limitResponse: { type: 'Queue', queuing: QUEUING } });
    const { send, running } = openFilter(control, metrics);
    const first = send();
    expect((await send().response).code).toBe(429);
    expect(await metrics.expose()).toContain('rejected_requests_total{priority_level="own",flow_schema="own",reason="time-out"} 1');
    running[0]?.(DONE);
    await first.response;
  });

  it('forgets who has gone while waiting', async () => {
    const { send, running, disconnects } = openFilter(fairness({ limitResponse: { type: 'Queue', queuing: QUEUING } }).control);
    const first = send();
    const gone = send();
    for (const disconnect of disconnects) disconnect();
    expect((await gone.response).code).toBe(429);
    running[0]?.(DONE);
    await first.response;
    expect(running).toHaveLength(1);
  });

  it('keeps the seat of a stream until it ends, and that of a watch until it has begun', async () => {
    const { send, running } = openFilter(fairness({ limitResponse: { type: 'Reject' } }).control);
    const list = send(JANE, { path: '/api/v1/configmaps' });
    const streamed = Promise.withResolvers<undefined>();
    running[0]?.({ code: 200, headers: {}, stream: () => streamed.promise });
    const response = await list.response;
    const writing =
      'stream' in response
        ? response.stream({ write: () => true, drained: async () => undefined, queuedBytes: 0, closed: false })
        : undefined;
    expect((await send().response).code).toBe(429);
    streamed.resolve(undefined);
    await writing;
    const watch = send(JANE, { path: '/api/v1/configmaps', query: 'watch=true' });
    expect((await send().response).code).toBe(429);
    watch.context.begun();
    const next = send();
    expect(running).toHaveLength(3);
    for (const answer of running.slice(1)) answer(DONE);
    await Promise.all([watch.response, next.response]);
  });
});

describe('The plain limits', () => {
  it('are for reading and writing apart, without watches and administrators', async () => {
    const { send, running } = openFilter({ by: 'limits', limits: new MaxInFlight({ reading: 1, writing: 0 }) });
    const sent = [
      send(),
      send(JANE, { method: 'POST', path: '/api/v1/namespaces/default/configmaps' }),
      send(JANE, { path: '/api/v1/configmaps', query: 'watch=true' }),
      send(ADMIN),
    ];
    const refused = await send().response;
    expect(refused).toMatchObject({ code: 429, headers: { 'Retry-After': '1' } });
    expect(running).toHaveLength(sent.length);
    for (const answer of running) answer(DONE);
    await Promise.all(sent.map(({ response }) => response));
    const next = send();
    running.at(-1)?.(DONE);
    expect((await next.response).code).toBe(200);
  });
});
