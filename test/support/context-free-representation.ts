/**
 * A derived representation for tests that needs its lengths ahead: each list representation in angle brackets. Its
 * streams have lines of their own.
 */
import type { ContextFreeRepresentation } from '../../pkg/watchcache/representations/representation.ts';

export interface CountedRepresentation extends ContextFreeRepresentation {
  /** Calls of `item` so far. */
  readonly prepared: () => number;
  /** Calls of `eventObject` so far. */
  readonly composed: () => number;
}

export function createContextFreeRepresentation(): CountedRepresentation {
  let prepared = 0;
  let composed = 0;
  return {
    id: 'Bare',
    now: () => 0,
    isContextFree: true,
    prepared: () => prepared,
    composed: () => composed,
    encodeItem: (itemBytes) => {
      prepared++;
      return Buffer.from(`<${itemBytes.toString()}>`);
    },
    singleObject: (item) => Buffer.from(`(${item.toString('utf8', 1, item.byteLength - 1)})`),
    eventObject: (itemBytes) => {
      composed++;
      return { bytes: Buffer.from(`(${itemBytes.toString()})`), validUntil: Infinity };
    },
    stream: {
      event: (type, object) => Buffer.from(`${type} ${object.toString()}\n`),
      error: (error) => Buffer.from(`(${error.reason})`),
    },
  };
}
