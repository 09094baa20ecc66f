/**
 * The representations of one object as bytes, all spliced from the stored JSON without parsing it:
 *
 *   stored  {"kind":K,"apiVersion":V,"metadata":{ rest
 *   list    {"metadata":{"resourceVersion":"N", rest
 *   full    {"kind":K,"apiVersion":V,"metadata":{"resourceVersion":"N", rest      = head + list representation without its `{`
 */
import type { Revision } from '../../storage/backend.ts';

const METADATA = '"metadata":{';
const LIST_START = Buffer.from(`{${METADATA}"resourceVersion":"`);
const QUOTE = 0x22;
const COMMA = 0x2c;

const digits = (revision: Revision): number => String(revision).length;

/** What comes before the metadata's first field in every stored object of a resource. */
export const storedStart = (head: Buffer): Buffer => Buffer.concat([head, Buffer.from(METADATA)]);

/** True when a list representation can be made: the constant start, then a first field of the metadata. */
export const isStoredEncoding = (json: Buffer, start: Buffer): boolean =>
  json.length > start.length && json.compare(start, 0, start.length, 0, start.length) === 0 && json[start.length] === QUOTE;

/** Length of the list representation of `json`, whose constant start has `startLength` bytes. */
export const itemLength = (json: Buffer, startLength: number, revision: Revision): number =>
  LIST_START.length + digits(revision) + 2 + json.length - startLength;

/** Writes the list representation into `target` at `offset`; returns the offset behind it. */
export function writeItem(target: Buffer, offset: number, json: Buffer, startLength: number, revision: Revision): number {
  let at = writeStart(target, offset, revision);
  at += json.copy(target, at, startLength);
  return at;
}

/** Bytes of a list representation in front of what does not depend on the revision. */
const revisionPartLength = (revision: Revision): number => LIST_START.length + digits(revision) + 2;

export const itemLengthAt = (itemSize: number, had: Revision, revision: Revision): number => itemSize - digits(had) + digits(revision);

/** Writes `itemBytes`, which carries the revision `had`, with another revision. */
export function writeItemAt(target: Buffer, offset: number, itemBytes: Buffer, had: Revision, revision: Revision): number {
  const at = writeStart(target, offset, revision);
  return at + itemBytes.copy(target, at, revisionPartLength(had));
}

function writeStart(target: Buffer, offset: number, revision: Revision): number {
  let at = offset + LIST_START.copy(target, offset);
  at += target.write(String(revision), at, 'latin1');
  target[at++] = QUOTE;
  target[at++] = COMMA;
  return at;
}
