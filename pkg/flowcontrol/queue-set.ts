/**
 * The seats and queues of one priority level: fair queueing as in Kubernetes. Each queue has a virtual time at which
 * its next request may start; of the queues with waiting requests, the one whose next request would end first is
 * served. The meter R is what a queue gets of the seats, in seat-seconds, and counts since the start.
 */
import type { Queuing } from './configuration.ts';
import type { FlowSeries, RejectReason } from './flow-series.ts';
import type { SeatDemand } from './seat-demand.ts';

/** The time that a request is supposed to take, in seconds. Corrected when it has ended. */
const ESTIMATED_SECONDS = 0.003;
const MS_PER_SECOND = 1000;

/** `exempt`: no limit. `reject`: what finds no seat is refused. */
export type QueueSetMode = 'exempt' | 'reject' | Queuing;

interface Queue {
  readonly index: number;
  readonly waiting: Set<Ticket>;
  waitingWork: number;
  executing: number;
  /** Whether requests wait or execute. */
  isActive: boolean;
  /** R at which its next request starts in the virtual world. */
  nextStart: number;
}

export interface QueueSetOptions {
  readonly demand: SeatDemand;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A request that has a seat, or waits for one. */
export class Ticket {
  readonly seats: number;
  readonly series: FlowSeries;
  readonly queue: Queue | undefined;
  /** R when it came. */
  readonly arrival: number;
  readonly cameAt: number;
  startedAt = 0;
  #set: QueueSet;
  #state: 'waiting' | 'executing' | 'over' = 'waiting';
  #decide: ((hasSeat: boolean) => void) | undefined;

  constructor(set: QueueSet, seats: number, series: FlowSeries, queue: Queue | undefined, arrival: number, cameAt: number) {
    this.#set = set;
    this.seats = seats;
    this.series = series;
    this.queue = queue;
    this.arrival = arrival;
    this.cameAt = cameAt;
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Resolves with true when it has a seat, with false when it was cancelled before. Called once, while it waits. */
  decided(): Promise<boolean> {
    return new Promise((resolve) => (this.#decide = resolve));
  }

  /** Only for the set. */
  execute(at: number): void {
    this.#state = 'executing';
    this.startedAt = at;
    this.#decide?.(true);
  }

  /** Gives up waiting. Does nothing if it does not wait. */
  cancel(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'over';
    this.#set.cancelled(this);
    this.#decide?.(false);
  }

  /** Frees its seats. Can be called twice. */
  finish(): void {
    if (this.#state !== 'executing') return;
    this.#state = 'over';
    this.#set.finished(this);
  }
}

export class QueueSet {
  readonly #demand: SeatDemand;
  readonly #now: () => number;
  #mode: QueueSetMode = 'reject';
  #limit = 0;
  #queues: Queue[] = [];
  #robin = 0;
  #arrivals = 0;
  /** Queues with requests that wait or execute. */
  #active = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #executing = 0;
  #seatsInUse = 0;
  #r = 0;
  #at: number;

  constructor({ demand, now }: QueueSetOptions) {
    this.#demand = demand;
    this.#now = now;
    this.#at = now();
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /** Requests that wait keep their queues, even if there are fewer now. */
  configure(mode: QueueSetMode, limit: number): void {
    this.#advance();
    this.#mode = mode;
    this.#limit = limit;
    if (typeof mode === 'object') {
      for (let index = this.#queues.length; index < mode.queues; index++) {
        this.#queues.push({ index, waiting: new Set(), waitingWork: 0, executing: 0, isActive: false, nextStart: 0 });
      }
    }
    this.#dropQueues();
    this.#dispatch();
  }

  /** `hand`: the queues of its flow. */
  start(seats: number, hand: readonly number[], series: FlowSeries): Ticket | RejectReason {
    const at = this.#advance();
    const mode = this.#mode;
    if (typeof mode !== 'object') {
      if (mode === 'reject' && !this.#hasRoom(seats)) return 'concurrency-limit';
      return this.#execute(new Ticket(this, seats, series, undefined, this.#r, at), at);
    }
    const queue = this.#chooseQueue(hand);
    if (queue === undefined) return 'queue-full'; // unreachable: a hand is never empty
    if (this.#seatsInUse >= this.#limit && queue.waiting.size >= mode.queueLengthLimit) return 'queue-full';
    const ticket = new Ticket(this, seats, series, queue, this.#r, at);
    if (this.#waiting === 0 && this.#seatsInUse < this.#limit && this.#hasRoom(seats)) return this.#begin(ticket, queue, at);
    this.#enqueue(ticket, queue, at);
    this.#dispatch();
    return ticket;
  }

  /** For tickets only. */
  cancelled(ticket: Ticket): void {
    const at = this.#advance();
    const { queue } = ticket;
    if (queue === undefined) return;
    this.#dequeue(ticket, queue);
    this.#boundStart(queue);
    this.#noteIdle(queue);
    this.#demand.set(this.#seatsInUse + this.#waitingSeats, at);
    this.#dropQueues();
  }

  /** For tickets only. */
  finished(ticket: Ticket): void {
    const at = this.#advance();
    const { seats, queue, series } = ticket;
    this.#executing--;
    this.#seatsInUse -= seats;
    series.executingRequests.add(-1);
    series.executingSeats.add(-seats);
    if (queue !== undefined) {
      queue.executing--;
      // It began with an estimate; now the time is known.
      queue.nextStart -= seats * (ESTIMATED_SECONDS - (at - ticket.startedAt) / MS_PER_SECOND);
      this.#boundStart(queue);
      this.#noteIdle(queue);
    }
    this.#demand.set(this.#seatsInUse + this.#waitingSeats, at);
    this.#dropQueues();
    this.#dispatch();
  }

  /** R grows as fast as a queue gets seats. Returns the present time. */
  #advance(): number {
    const at = this.#now();
    if (this.#active > 0) {
      const seats = Math.min(this.#seatsInUse + this.#waitingSeats, this.#limit);
      this.#r += ((seats / this.#active) * (at - this.#at)) / MS_PER_SECOND;
    }
    this.#at = at;
    return at;
  }

  /** The queue of the hand with the least work. Not always the same one of equals. */
  #chooseQueue(hand: readonly number[]): Queue | undefined {
    const offset = this.#arrivals++ % hand.length;
    let best: Queue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = this.#queues[hand[(offset + i) % hand.length] ?? 0];
      if (queue !== undefined && (best === undefined || queue.waitingWork < best.waitingWork)) best = queue;
    }
    return best;
  }

  #enqueue(ticket: Ticket, queue: Queue, at: number): void {
    this.#noteActive(queue);
    queue.waiting.add(ticket);
    queue.waitingWork += workOf(ticket);
    this.#waiting++;
    this.#waitingSeats += ticket.seats;
    ticket.series.waitingRequests.add(1);
    ticket.series.waitingSeats.add(ticket.seats);
    this.#boundStart(queue);
    this.#demand.set(this.#seatsInUse + this.#waitingSeats, at);
  }

  #dequeue(ticket: Ticket, queue: Queue): void {
    queue.waiting.delete(ticket);
    queue.waitingWork = queue.waiting.size === 0 ? 0 : queue.waitingWork - workOf(ticket);
    this.#waiting--;
    this.#waitingSeats -= ticket.seats;
    ticket.series.waitingRequests.add(-1);
    ticket.series.waitingSeats.add(-ticket.seats);
  }

  #dispatch(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit && this.#dispatchOne());
  }

  /** False: the next request finds no seats. */
  #dispatchOne(): boolean {
    const queue = this.#nextQueue();
    const ticket = queue === undefined ? undefined : oldestOf(queue);
    if (queue === undefined || ticket === undefined || !this.#hasRoom(ticket.seats)) return false;
    this.#dequeue(ticket, queue);
    this.#begin(ticket, queue, this.#at);
    this.#boundStart(queue);
    return true;
  }

  #begin(ticket: Ticket, queue: Queue, at: number): Ticket {
    this.#noteActive(queue);
    this.#robin = queue.index;
    queue.executing++;
    queue.nextStart += workOf(ticket);
    return this.#execute(ticket, at);
  }

  /** After the last one that was served, so that equals take turns. */
  #nextQueue(): Queue | undefined {
    // Most of the time one request waits, and only until it is served.
    let best: Queue | undefined;
    let bestEnd = Infinity;
    const count = this.#queues.length;
    for (let i = 1; i <= count; i++) {
      const queue = this.#queues[(this.#robin + i) % count];
      if (queue === undefined || queue.waiting.size === 0) continue;
      const ticket = oldestOf(queue);
      const end = queue.nextStart + (ticket === undefined ? 0 : workOf(ticket));
      if (end < bestEnd) [best, bestEnd] = [queue, end];
    }
    return best;
  }

  #execute(ticket: Ticket, at: number): Ticket {
    this.#executing++;
    this.#seatsInUse += ticket.seats;
    ticket.series.executingRequests.add(1);
    ticket.series.executingSeats.add(ticket.seats);
    this.#demand.set(this.#seatsInUse + this.#waitingSeats, at);
    ticket.execute(at);
    return ticket;
  }

  #hasRoom(seats: number): boolean {
    if (this.#mode === 'exempt') return true;
    // What is wider than the level runs alone.
    if (seats > this.#limit) return this.#executing === 0;
    return this.#seatsInUse + seats <= this.#limit;
  }

  /** A queue that did not use its part for a while has no claim on it: nothing starts before it came. */
  #boundStart(queue: Queue): void {
    const oldest = oldestOf(queue);
    if (oldest !== undefined && queue.nextStart < oldest.arrival) queue.nextStart = oldest.arrival;
  }

  /** The virtual time of an empty queue begins anew. */
  #noteActive(queue: Queue): void {
    if (queue.isActive) return;
    queue.nextStart = this.#r;
    queue.isActive = true;
    this.#active++;
  }

  #noteIdle(queue: Queue): void {
    if (queue.waiting.size > 0 || queue.executing > 0) return;
    queue.isActive = false;
    this.#active--;
  }

  /** Removes queues that are not wanted any more, once they are empty. */
  #dropQueues(): void {
    const wanted = typeof this.#mode === 'object' ? this.#mode.queues : 0;
    while (this.#queues.length > wanted) {
      const last = this.#queues.at(-1);
      if (last === undefined || last.waiting.size > 0 || last.executing > 0) return;
      this.#queues.pop();
    }
  }
}

const workOf = ({ seats }: Ticket): number => seats * ESTIMATED_SECONDS;

const oldestOf = ({ waiting }: Queue): Ticket | undefined => {
  for (const ticket of waiting) return ticket;
  return undefined;
};
