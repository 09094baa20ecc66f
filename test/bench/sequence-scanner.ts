/**
 * Follows one watch stream by the sequence numbers its writer puts into the object: what is lost, doubled or out of
 * order shows.
 */
import { SEQUENCE_DIGITS, SEQUENCE_MARKER } from './sample-object.ts';

const LF = 10;
const ZERO = 48;
const marker = Buffer.from(SEQUENCE_MARKER);
const EMPTY = Buffer.alloc(0);

export class SequenceScanner {
  readonly #delivered: (sequence: number) => void;
  /** The beginning of an event whose end has not come yet. */
  #rest = EMPTY;
  /** The sequence numbers seen, each once, are 1 to `last` less `lost`. */
  last = 0;
  delivered = 0;
  lost = 0;
  doubled = 0;
  errors = 0;

  constructor(delivered: (sequence: number) => void) {
    this.#delivered = delivered;
  }

  feed(bytes: Buffer, start: number, end: number): void {
    let at = start;
    if (this.#rest.length > 0) {
      const newline = bytes.indexOf(LF, at);
      const whole = newline >= 0 && newline < end;
      const event = Buffer.concat([this.#rest, bytes.subarray(at, whole ? newline : end)]);
      this.#rest = whole ? EMPTY : event;
      if (!whole) return;
      this.#event(event, 0, event.length);
      at = newline + 1;
    }
    for (let newline = bytes.indexOf(LF, at); newline >= 0 && newline < end; newline = bytes.indexOf(LF, at)) {
      this.#event(bytes, at, newline);
      at = newline + 1;
    }
    if (at < end) this.#rest = Buffer.from(bytes.subarray(at, end));
  }

  #event(bytes: Buffer, start: number, end: number): void {
    const found = bytes.indexOf(marker, start);
    if (found < 0 || found >= end) {
      if (bytes.toString('latin1', start, Math.min(end, start + 15)).includes('ERROR')) this.errors++;
      return;
    }
    let sequence = 0;
    const digits = found + marker.length;
    for (let at = digits; at < digits + SEQUENCE_DIGITS; at++) sequence = sequence * 10 + (bytes[at] ?? ZERO) - ZERO;
    if (sequence <= this.last) {
      this.doubled++;
      return;
    }
    this.lost += sequence - this.last - 1;
    this.last = sequence;
    this.delivered++;
    this.#delivered(sequence);
  }
}
