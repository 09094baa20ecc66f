/**
 * A derived representation for tests: the list representation inside of an object that says when it was made, in steps
 * of ten milliseconds.
 */
import type { TemplatedRepresentation } from '../../pkg/watchcache/representations/representation.ts';

export interface StampedRepresentation extends TemplatedRepresentation {
  /** Calls of `prepare` so far. */
  readonly prepared: () => number;
}

export const stamped = (itemBytes: string, at: number): string => `{"t":${Math.floor(at / 10)},"of":${itemBytes}}`;

const nextStep = (at: number): number => (Math.floor(at / 10) + 1) * 10;

export function createStampedRepresentation(now: () => number, id = 'Stamped'): StampedRepresentation {
  let prepared = 0;
  return {
    id,
    now,
    prepared: () => prepared,
    template: (bytes) => {
      prepared++;
      const text = bytes.toString();
      const maxBytes = bytes.length + 100;
      return {
        cost: 100,
        maxBytes,
        writeTo: (target, offset, itemBytes, at) => {
          if (itemBytes.toString() !== text) throw new Error('what was prepared of one object is used for another');
          return offset + target.write(stamped(text, at), offset);
        },
        validUntil: nextStep,
      };
    },
    eventObject: (itemBytes, at) => ({ bytes: Buffer.from(stamped(itemBytes.toString(), at)), validUntil: nextStep(at) }),
  };
}
