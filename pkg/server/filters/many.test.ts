/** Thousands of clients at the same moment: each tick handles a share of them. */
import { describe, expect, it } from '@jest/globals';
import { Scheduler, TASK_QUANTUM_MS, TICK_BUDGET_MS } from '../../apimachinery/scheduling/scheduler.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { RequestContext, type RequestHandler } from './context.ts';
import { OpenRequests } from './drain.ts';
import { schedule } from './schedule.ts';

const MANY = 100;
const WORK_MS = 0.5;
/** Per tick: new work, and a share of the waiting work. */
const MOST = (TICK_BUDGET_MS + TASK_QUANTUM_MS) / WORK_MS + 1;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

interface Client {
  readonly context: RequestContext;
  readonly leave: () => void;
}

function connect(scheduler: Scheduler): Client {
  const leaves: (() => void)[] = [];
  const request: ApiRequest = {
    method: 'GET',
    path: '/',
    query: '',
    headers: {},
    protocol: 'http/1.1',
    secure: false,
    remoteAddress: '',
    readBody: async () => Buffer.alloc(0),
    onDisconnect: (listener) => leaves.push(listener),
  };
  return {
    context: new RequestContext(request, 0, scheduler),
    leave: () => {
      for (const listener of leaves) listener();
    },
  };
}

const connectMany = (scheduler: Scheduler) => Array.from({ length: MANY }, () => connect(scheduler));

/** Counts work items of half a millisecond each. */
function createWork() {
  let done = 0;
  return {
    done: () => done,
    work: () => {
      done++;
      for (const end = performance.now() + WORK_MS; performance.now() < end;);
    },
  };
}

/** Maximum work of one tick from now until everything is done. */
async function maxInATick(done: () => number): Promise<number> {
  let most = done();
  while (done() < MANY) {
    const before = done();
    await nextTurn();
    most = Math.max(most, done() - before);
  }
  return most;
}

describe('In one moment', () => {
  it('many requests are taken up in as many ticks of the loop as they need', async () => {
    const { done, work } = createWork();
    const answer: RequestHandler<RequestContext> = async (): Promise<ApiResponse> => {
      work();
      return { code: 200, headers: {}, body: [] };
    };
    const step = schedule(answer);
    const answers = connectMany(new Scheduler()).map(({ context }) => step(context));
    expect(await maxInATick(done)).toBeLessThanOrEqual(MOST);
    expect((await Promise.all(answers)).map(({ code }) => code)).toEqual(new Array(MANY).fill(200));
  });

  it('a request that is alone is taken up at once', async () => {
    const { done, work } = createWork();
    const { context } = connect(new Scheduler());
    const answering = schedule(async () => {
      work();
      return { code: 200, headers: {}, body: [] };
    })(context);
    expect(done()).toBe(1);
    await answering;
  });

  it('many clients that leave are noticed in as many ticks', async () => {
    const { done, work } = createWork();
    const clients = connectMany(new Scheduler());
    for (const { context } of clients) context.signal.addEventListener('abort', work);
    for (const { leave } of clients) leave();
    expect(await maxInATick(done)).toBeLessThanOrEqual(MOST);
  });

  it('many watches whose time is over end in as many ticks', async () => {
    const { done, work } = createWork();
    for (const { context } of connectMany(new Scheduler())) {
      context.signal.addEventListener('abort', work);
      context.becomeLongRunning(5);
    }
    expect(await maxInATick(done)).toBeLessThanOrEqual(MOST);
  });

  it('a deadline that has been moved away while it waited in line is none', async () => {
    const scheduler = new Scheduler();
    const { context } = connect(scheduler);
    const { signal } = context;
    scheduler.isTickSpent(performance.now());
    for (const end = performance.now() + TICK_BUDGET_MS; performance.now() < end;);
    context.deadlinePassed();
    context.becomeLongRunning(60_000);
    await nextTurn();
    await nextTurn();
    context.clearDeadline();
    expect([signal.aborted, context.timedOut]).toEqual([false, false]);
  });

  it('a server that stops ends many watches in as many ticks, and is idle when the last has ended', async () => {
    const { done, work } = createWork();
    const openRequests = new OpenRequests();
    const watch = openRequests.filter(async (context) => {
      context.becomeLongRunning(60_000);
      const ended = new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      return {
        code: 200,
        headers: {},
        stream: async () => {
          await ended;
          context.clearDeadline();
          work();
        },
      };
    });
    const writer = { write: () => true, drained: async () => undefined, queuedBytes: 0, closed: false };
    const clients = connectMany(new Scheduler());
    const answers = await Promise.all(clients.map(({ context }) => watch(context)));
    const streams = answers.map((answer) =>
      'stream' in answer ? answer.stream(writer) : Promise.reject(new Error('a watch is a stream')),
    );
    openRequests.drain();
    openRequests.drain();
    const idle = openRequests.idle().then(() => done());
    expect(await maxInATick(done)).toBeLessThanOrEqual(MOST);
    await Promise.all(streams);
    expect(await idle).toBe(MANY);
  });
});
