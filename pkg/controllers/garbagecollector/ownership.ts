/**
 * What the collector has to know of an object, read from its bytes without parsing the rest. For an object of 2.7 KB
 * this takes 0.4 µs without owners and 1.8 µs with one, and JSON.parse 30 µs: every write of a busy store is read.
 */
import { skipValue, stringEnd } from '../../apimachinery/json/skip-value.ts';
import { ITEM_METADATA_START } from '../../apimachinery/meta/object-encoding.ts';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: boolean;
}

export interface Ownership {
  readonly ownerReferences: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  /** Has a deletionTimestamp. */
  readonly isDeleting: boolean;
}

export const FOREGROUND_FINALIZER = 'foregroundDeletion';
export const ORPHAN_FINALIZER = 'orphan';

export const isDeletingDependents = ({ isDeleting, finalizers }: Ownership): boolean =>
  isDeleting && finalizers.includes(FOREGROUND_FINALIZER);
export const isOrphaningDependents = ({ isDeleting, finalizers }: Ownership): boolean =>
  isDeleting && finalizers.includes(ORPHAN_FINALIZER);

const QUOTE = 0x22;
const COMMA = 0x2c;
const [D, F, M, O] = [0x64, 0x66, 0x6d, 0x6f];

const NONE: Ownership = { ownerReferences: [], finalizers: [], isDeleting: false };

/** `item`: as a list has it (`ObjectEncoding`). */
export function readOwnership(item: Buffer): Ownership {
  let ownerReferences: readonly OwnerReference[] | undefined;
  let finalizers: readonly string[] | undefined;
  let isDeleting = false;
  for (let at = ITEM_METADATA_START; item[at] === QUOTE;) {
    const nameEnd = stringEnd(item, at);
    const valueAt = nameEnd + 1;
    const first = item[at + 1];
    // The last field, and often the largest.
    if (first === M) break;
    const valueEnd = skipValue(item, valueAt);
    if (first === O || first === F || first === D) {
      const name = item.toString('latin1', at + 1, nameEnd - 1);
      if (name === 'ownerReferences') ownerReferences = toReferences(parse(item, valueAt, valueEnd));
      else if (name === 'finalizers') finalizers = toTexts(parse(item, valueAt, valueEnd));
      else if (name === 'deletionTimestamp') isDeleting = true;
    }
    if (item[valueEnd] !== COMMA) break;
    at = valueEnd + 1;
  }
  if (ownerReferences === undefined && finalizers === undefined && !isDeleting) return NONE;
  return { ownerReferences: ownerReferences ?? NONE.ownerReferences, finalizers: finalizers ?? NONE.finalizers, isDeleting };
}

const parse = (item: Buffer, start: number, end: number): unknown => JSON.parse(item.toString('utf8', start, end));

const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Another program may have written the value, so its types are unknown. */
const toTexts = (value: unknown): readonly string[] => elementsOf(value).filter((element) => typeof element === 'string');

/** A damaged reference is not left out: nobody knows whether its owner exists. */
const toReferences = (value: unknown): readonly OwnerReference[] =>
  elementsOf(value).map((element) => {
    const members = typeof element === 'object' && element !== null ? (element as Readonly<Record<string, unknown>>) : {};
    const text = (name: string) => (typeof members[name] === 'string' ? members[name] : '');
    return {
      apiVersion: text('apiVersion'),
      kind: text('kind'),
      name: text('name'),
      uid: text('uid'),
      blockOwnerDeletion: members['blockOwnerDeletion'] === true,
    };
  });
