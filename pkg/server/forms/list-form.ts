/** What the forms read of an object as it stands in a list, `{"metadata":{"resourceVersion":"N",…},…}`, without parsing it. */

const METADATA_START = '{"metadata":'.length;
const RESOURCE_VERSION_START = Buffer.from('{"metadata":{"resourceVersion":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The offset behind the metadata. */
export function metadataEnd(listForm: Buffer): number {
  let depth = 0;
  for (let at = METADATA_START; at < listForm.length; at++) {
    const byte = listForm[at];
    if (byte === QUOTE) at = closingQuote(listForm, at);
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return at + 1;
  }
  return listForm.length;
}

function closingQuote(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return json.length;
}

/** Undefined for an object that was never stored: the answer to a dry run. */
export function resourceVersionOf(listForm: Buffer): string | undefined {
  const start = RESOURCE_VERSION_START.length;
  if (listForm.compare(RESOURCE_VERSION_START, 0, start, 0, start) !== 0) return undefined;
  return listForm.toString('latin1', start, listForm.indexOf(QUOTE, start));
}

/** The form inside a list of a whole object, `{"kind":…,"apiVersion":…,"metadata":{…`. `head`: what stands before the metadata. */
export function toListForm(json: readonly Buffer[], head: Buffer): Buffer {
  // A copy of our own, so that its first byte may be written.
  const listForm = Buffer.concat(json).subarray(head.length - 1);
  listForm[0] = OPEN_BRACE;
  return listForm;
}
