/** A derived form for tests that needs its lengths ahead: each list form in angle brackets. Its streams have lines of their own. */
import type { BareForm } from '../../pkg/watchcache/watch-cache.ts';

export interface CountedForm extends BareForm {
  /** Calls of `element` so far. */
  readonly prepared: () => number;
  /** Calls of `eventObject` so far. */
  readonly composed: () => number;
}

export function createBareForm(): CountedForm {
  let prepared = 0;
  let composed = 0;
  return {
    id: 'Bare',
    now: () => 0,
    isBare: true,
    prepared: () => prepared,
    composed: () => composed,
    element: (listForm) => {
      prepared++;
      return Buffer.from(`<${listForm.toString()}>`);
    },
    alone: (element) => Buffer.from(`(${element.toString('utf8', 1, element.byteLength - 1)})`),
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
