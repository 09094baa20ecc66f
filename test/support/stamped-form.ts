/** A derived form for tests: the list form inside of an object that says when it was made, in steps of ten milliseconds. */
import type { PreparedForm } from '../../pkg/watchcache/watch-cache.ts';

export interface StampedForm extends PreparedForm {
  /** Calls of `prepare` so far. */
  readonly prepared: () => number;
}

export const stamped = (listForm: string, at: number): string => `{"t":${Math.floor(at / 10)},"of":${listForm}}`;

const nextStep = (at: number): number => (Math.floor(at / 10) + 1) * 10;

export function createStampedForm(now: () => number, id = 'Stamped'): StampedForm {
  let prepared = 0;
  return {
    id,
    now,
    prepared: () => prepared,
    prepare: (bytes) => {
      prepared++;
      const text = bytes.toString();
      const maxBytes = bytes.length + 100;
      return {
        cost: 100,
        maxBytes,
        writeTo: (target, offset, listForm, at) => {
          if (listForm.toString() !== text) throw new Error('what was prepared of one object is used for another');
          return offset + target.write(stamped(text, at), offset);
        },
        validUntil: nextStep,
      };
    },
    eventObject: (listForm, at) => ({ bytes: Buffer.from(stamped(listForm.toString(), at)), validUntil: nextStep(at) }),
  };
}
