import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../observability/metrics.ts';
import { createFlowSeries } from './flow-series.ts';
import { QueueSet, type QueueSetMode, Ticket } from './queue-set.ts';
import { SeatDemand } from './seat-demand.ts';

const QUEUES = { queues: 4, handSize: 1, queueLengthLimit: 3 };

function openSet(mode: QueueSetMode, limit: number) {
  let now = 0;
  const clock = () => now;
  const metrics = createMetrics({ version: 'v0', now: clock, processMetrics: false });
  const series = createFlowSeries(metrics, 'level', 'schema');
  const set = new QueueSet({ demand: new SeatDemand(clock), now: clock });
  set.configure(mode, limit);
  return {
    set,
    metrics,
    pass: (ms: number) => (now += ms),
    start: (queue: number, seats = 1) => set.start(seats, [queue], series),
  };
}

function ticketOf(started: ReturnType<QueueSet['start']>): Ticket {
  if (!(started instanceof Ticket)) throw new Error(`refused: ${started}`);
  return started;
}

describe('The seats of a level', () => {
  it('that rejects are all that there is', () => {
    const { set, start } = openSet('reject', 2);
    const first = ticketOf(start(0));
    expect([first.isWaiting, ticketOf(start(0)).isWaiting, start(0)]).toEqual([false, false, 'concurrency-limit']);
    first.finish();
    first.finish();
    expect(ticketOf(start(0)).isWaiting).toBe(false);
    expect(start(0)).toBe('concurrency-limit');
    expect(set.isIdle).toBe(false);
  });

  it('that is exempt are unlimited', () => {
    const { start } = openSet('exempt', 0);
    for (let i = 0; i < 100; i++) expect(ticketOf(start(0)).isWaiting).toBe(false);
  });

  it('go to those who wait, in the order of a queue', async () => {
    const { start } = openSet(QUEUES, 1);
    const [running, second, third] = [start(0), start(0), start(0)].map(ticketOf);
    expect([second?.isWaiting, third?.isWaiting]).toEqual([true, true]);
    const decided = second?.decided();
    running?.finish();
    expect(await decided).toBe(true);
    expect([second?.isWaiting, third?.isWaiting]).toEqual([false, true]);
  });

  it('are refused when the queue is full', () => {
    const { start } = openSet(QUEUES, 1);
    for (let i = 0; i < 4; i++) ticketOf(start(0));
    expect(start(0)).toBe('queue-full');
    expect(ticketOf(start(1)).isWaiting).toBe(true);
  });

  it('are given up by who waits too long', async () => {
    const { start, set } = openSet(QUEUES, 1);
    const running = ticketOf(start(0));
    const waiting = ticketOf(start(0));
    const decided = waiting.decided();
    waiting.cancel();
    waiting.cancel();
    expect(await decided).toBe(false);
    running.finish();
    expect(set.isIdle).toBe(true);
    waiting.finish();
    expect(set.isIdle).toBe(true);
  });

  it('are all taken by a request that is wider than the level', () => {
    const { start } = openSet(QUEUES, 2);
    const wide = ticketOf(start(0, 5));
    expect(wide.isWaiting).toBe(false);
    const next = ticketOf(start(1));
    expect(next.isWaiting).toBe(true);
    wide.finish();
    expect(next.isWaiting).toBe(false);
    expect(ticketOf(start(0, 5)).isWaiting).toBe(true);
  });

  it('are shared equally by flows that want different numbers of them', () => {
    const { start, pass } = openSet({ ...QUEUES, queueLengthLimit: 1000 }, 2);
    const waiting = [0, 1].map(() => [] as Ticket[]);
    // One sends ten times as much as the other.
    for (let i = 0; i < 200; i++) {
      waiting[0]?.push(ticketOf(start(0)));
      if (i % 10 === 0) waiting[1]?.push(ticketOf(start(1)));
    }
    const done = [0, 0];
    const running = () => waiting.flatMap((flow, index) => flow.filter((each) => !each.isWaiting).map((each) => ({ each, index, flow })));
    while ((waiting[1]?.length ?? 0) > 0) {
      pass(5);
      for (const { each, index, flow } of running()) {
        each.finish();
        flow.splice(flow.indexOf(each), 1);
        done[index] = (done[index] ?? 0) + 1;
      }
    }
    const [many = 0, few = 0] = done;
    expect(few).toBe(20);
    expect(many).toBeGreaterThan(15);
    expect(many).toBeLessThan(25);
  });

  it('become more at once, and fewer with time', () => {
    const { set, start } = openSet(QUEUES, 1);
    const [first, second, third] = [start(0), start(1), start(2)].map(ticketOf);
    set.configure(QUEUES, 3);
    expect([second?.isWaiting, third?.isWaiting]).toEqual([false, false]);
    set.configure(QUEUES, 1);
    const fourth = ticketOf(start(3));
    first?.finish();
    second?.finish();
    expect(fourth.isWaiting).toBe(true);
    third?.finish();
    expect(fourth.isWaiting).toBe(false);
  });

  it('are found by requests in queues that are not wanted any more', () => {
    const { set, start } = openSet(QUEUES, 1);
    const [running, waiting] = [start(3), start(3)].map(ticketOf);
    set.configure({ ...QUEUES, queues: 1 }, 1);
    running?.finish();
    expect(waiting?.isWaiting).toBe(false);
    waiting?.finish();
    expect(ticketOf(start(0)).isWaiting).toBe(false);
  });

  it('are counted', async () => {
    const { start, metrics } = openSet(QUEUES, 1);
    const running = ticketOf(start(0, 1));
    const waiting = ticketOf(start(0, 1));
    const lines = async () => (await metrics.expose()).split('\n').filter((line) => /^apiserver_flowcontrol_current_.*[1-9]$/.test(line));
    expect(await lines()).toEqual([
      'apiserver_flowcontrol_current_executing_requests{priority_level="level",flow_schema="schema"} 1',
      'apiserver_flowcontrol_current_executing_seats{priority_level="level",flow_schema="schema"} 1',
      'apiserver_flowcontrol_current_inqueue_requests{priority_level="level",flow_schema="schema"} 1',
      'apiserver_flowcontrol_current_inqueue_seats{priority_level="level",flow_schema="schema"} 1',
    ]);
    running.finish();
    waiting.finish();
  });
});
