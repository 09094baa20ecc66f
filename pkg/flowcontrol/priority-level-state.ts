/** A priority level at work: its limits, its seats and queues, and what it needed lately. */
import { EXEMPT, type PriorityLevel, type PriorityLevelSpec, type Queuing } from './configuration.ts';
import { QueueSet, type QueueSetMode } from './queue-set.ts';
import { SeatDemand } from './seat-demand.ts';

/** Half of the smoothed demand is forgotten in five minutes. */
const SMOOTHING = 0.977;
/** Of its nominal seats, what one request may take. */
const MAX_SEATS_SHARE = 0.15;
const PERCENT = 100;

export class PriorityLevelState {
  level: PriorityLevel;
  readonly set: QueueSet;
  /** Not wanted any more, but not empty. */
  isLeaving = false;
  nominalSeats = 0;
  /** What is left when it has lent all that it lends. */
  minSeats = 0;
  /** With all that it may borrow. */
  maxSeats = 0;
  currentSeats: number | undefined;
  average = 0;
  deviation = 0;
  highWatermark = 0;
  smoothed = 0;
  readonly #demand: SeatDemand;

  constructor(level: PriorityLevel, now: () => number) {
    this.level = level;
    this.#demand = new SeatDemand(now);
    this.set = new QueueSet({ demand: this.#demand, now });
  }

  get isExempt(): boolean {
    return this.level.spec.type === 'Exempt';
  }

  get shares(): number {
    const { limited, exempt } = this.level.spec;
    return limited?.nominalConcurrencyShares ?? exempt?.nominalConcurrencyShares ?? 0;
  }

  get queuing(): Queuing | undefined {
    return this.level.spec.limited?.limitResponse?.queuing;
  }

  /** What one request of it may take; undefined: no limit. */
  get maxSeatsOfRequest(): number | undefined {
    const { queuing, nominalSeats } = this;
    if (queuing === undefined) return undefined;
    return Math.max(1, Math.min(Math.ceil(nominalSeats * MAX_SEATS_SHARE), Math.floor(nominalSeats / queuing.handSize)));
  }

  /** The lower bound of its current seats. */
  get neededSeats(): number {
    return Math.max(this.minSeats, this.isExempt ? this.highWatermark : Math.min(this.nominalSeats, this.highWatermark));
  }

  setNominalSeats(nominal: number, serverSeats: number): void {
    const { limited, exempt } = this.level.spec;
    const lendable = Math.round((nominal * (limited?.lendablePercent ?? exempt?.lendablePercent ?? 0)) / PERCENT);
    const percent = limited?.borrowingLimitPercent;
    this.nominalSeats = nominal;
    this.minSeats = nominal - lendable;
    this.maxSeats = nominal + (percent === undefined ? serverSeats : Math.round((nominal * percent) / PERCENT));
    this.currentSeats ??= nominal - Math.trunc(lendable / 2);
  }

  /** Takes what was needed since the last call into account. */
  updateDemand(): void {
    const { average, deviation, highWatermark, seconds } = this.#demand.reset();
    this.highWatermark = highWatermark;
    if (seconds <= 0) return;
    this.average = average;
    this.deviation = deviation;
    const envelope = average + deviation;
    this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
  }

  setCurrentSeats(seats: number): void {
    this.currentSeats = seats;
    this.set.configure(modeOf(this.level.spec), seats);
  }
}

const modeOf = ({ limited }: PriorityLevelSpec): QueueSetMode =>
  limited === undefined ? 'exempt' : (limited.limitResponse?.queuing ?? 'reject');

/** What is not whole is ignored, as in Kubernetes. Stored objects were checked, but perhaps by another server. */
export function isUsable({ name, spec: { type, limited, exempt } }: PriorityLevel): boolean {
  if ((type === 'Exempt') !== (name === EXEMPT)) return false;
  if (type === 'Exempt') return exempt !== undefined && limited === undefined;
  if (type !== 'Limited' || limited === undefined || exempt !== undefined) return false;
  const { type: response, queuing } = limited.limitResponse ?? {};
  return queuing === undefined ? response === 'Reject' : response === 'Queue' && queuing.handSize <= queuing.queues;
}
