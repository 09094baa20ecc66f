/**
 * The two forms in which a stored object is sent, made from its canonical bytes without parsing them.
 *
 * Canonical bytes start with `{"kind":…,"apiVersion":…,"metadata":{` and hold no `metadata.resourceVersion`; their head is what stands
 * before `"metadata"`, the same for all objects of a kind.
 */

const METADATA = Buffer.from('"metadata":{');
const LIST_FORM_START = '{"metadata":{';
const CLOSING_BRACE = 0x7d;

/** The first bytes of every canonical object of a kind: `{"kind":"CronJob","apiVersion":"batch/v1",`. */
export const canonicalHead = (kind: { readonly kind: string; readonly apiVersion: string }): Buffer =>
  Buffer.from(`{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(kind.apiVersion)},`);

const member = (json: Buffer, at: number, revision: number): string =>
  `"resourceVersion":"${revision}"${json[at] === CLOSING_BRACE ? '' : ','}`;

/** Where `resourceVersion` belongs: right behind `"metadata":{`. Throws for bytes that are not canonical: a bug, or damaged data. */
function insertionPoint(json: Buffer): number {
  // Only kind and apiVersion stand before it, and neither can hold this text.
  const at = json.indexOf(METADATA);
  if (at < 0) throw new Error('object bytes without metadata');
  return at + METADATA.byteLength;
}

/** The object as it is sent alone. A new buffer. */
export function withResourceVersion(json: Buffer, revision: number): Buffer {
  const at = insertionPoint(json);
  const inserted = member(json, at, revision);
  const sent = Buffer.allocUnsafe(json.byteLength + inserted.length);
  json.copy(sent, 0, 0, at);
  sent.write(inserted, at, 'latin1');
  json.copy(sent, at + inserted.length, at);
  return sent;
}

/** The same in three pieces, without a copy. */
export function resourceVersionPieces(json: Buffer, revision: number): readonly [Buffer, Buffer, Buffer] {
  const at = insertionPoint(json);
  return [json.subarray(0, at), Buffer.from(member(json, at, revision), 'latin1'), json.subarray(at)];
}

/** Bytes of `itemBytes`. */
export const listFormLength = (json: Buffer, headLength: number, revision: number): number =>
  LIST_FORM_START.length +
  member(json, headLength + METADATA.byteLength, revision).length +
  json.byteLength -
  headLength -
  METADATA.byteLength;

/** The object inside a list: without kind and apiVersion. A new buffer. `headLength`: of `canonicalHead`. */
export function itemBytes(json: Buffer, headLength: number, revision: number): Buffer {
  const form = Buffer.allocUnsafe(listFormLength(json, headLength, revision));
  writeListForm(form, 0, json, headLength, revision);
  return form;
}

/** Writes `itemBytes` into `target`, which has room for it; the offset behind it. */
export function writeListForm(target: Buffer, offset: number, json: Buffer, headLength: number, revision: number): number {
  const rest = headLength + METADATA.byteLength;
  const start = LIST_FORM_START + member(json, rest, revision);
  target.write(start, offset, 'latin1');
  json.copy(target, offset + start.length, rest);
  return offset + start.length + json.byteLength - rest;
}

/** The object as it is sent alone, from its form inside a list. */
export const fromListForm = (form: Buffer, head: Buffer): readonly [Buffer, Buffer] => [head, form.subarray(1)];
