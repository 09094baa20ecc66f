/** A derived form for tests that needs its lengths ahead: each list form in angle brackets. Its streams have lines of their own. */
import type { DerivedForm } from '../../pkg/watchcache/watch-cache.ts';

export interface BareForm extends DerivedForm {
  /** Calls of `prepare` so far. */
  readonly prepared: () => number;
  /** Calls of `eventObject` so far. */
  readonly composed: () => number;
}

export function createBareForm(): BareForm {
  let prepared = 0;
  let composed = 0;
  return {
    id: 'Bare',
    now: () => 0,
    isBare: true,
    preparesAlone: true,
    prepared: () => prepared,
    composed: () => composed,
    prepare: (listForm) => {
      prepared++;
      const bytes = Buffer.from(`<${listForm.toString()}>`);
      return {
        cost: bytes.byteLength,
        maxBytes: bytes.byteLength,
        writeTo: (target, offset) => offset + bytes.copy(target, offset),
        validUntil: () => Infinity,
        alone: () => Buffer.from(`(${listForm.toString()})`),
      };
    },
    eventObject: (listForm) => {
      composed++;
      return { bytes: Buffer.from(`(${listForm.toString()})`), validUntil: Infinity };
    },
    stream: {
      event: (type, object) => Buffer.from(`${type} ${object.toString()}\n`),
      error: (error) => Buffer.from(`(${error.reason})`),
    },
  };
}
