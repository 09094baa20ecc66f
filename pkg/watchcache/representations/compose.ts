import { EncodedItem } from './encoded-item.ts';
import type { ItemTemplate, Representation } from './representation.ts';

const COMMA = 0x2c;

/** The cacheable part of an object's item in a representation. */
export const toItem = (representation: Representation, itemBytes: Buffer): ItemTemplate =>
  representation.isContextFree === true ? new EncodedItem(representation.encodeItem(itemBytes)) : representation.template(itemBytes);

/** Returns memory of exactly that many bytes. */
export type Allocate = (bytes: number) => Buffer;

/** Memory that is not part of a larger Buffer. */
export const allocateAlone: Allocate = (bytes) => Buffer.allocUnsafeSlow(bytes);

/** The items of `objects` as of `at`: `,a,b,c`, or `abc` if the representation is context-free. */
export function composeItems(
  representation: Representation,
  objects: readonly { readonly itemBytes: Buffer }[],
  items: readonly ItemTemplate[],
  at: number,
  allocate = allocateAlone,
): Buffer {
  const hasSeparator = representation.isContextFree !== true;
  const target = allocate(items.reduce((sum, { maxBytes }) => sum + Number(hasSeparator) + maxBytes, 0));
  let offset = 0;
  for (const [index, item] of items.entries()) {
    const object = objects[index];
    if (object === undefined) continue;
    if (hasSeparator) target[offset++] = COMMA;
    offset = item.writeTo(target, offset, hasSeparator ? object.itemBytes : NOTHING, at);
  }
  return target.subarray(0, offset);
}

/** Encoded items do not depend on the object. */
const NOTHING = Buffer.alloc(0);
