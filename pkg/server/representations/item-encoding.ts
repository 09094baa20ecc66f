/** What the representations read of an object as it stands in a list, `{"metadata":{"resourceVersion":"N",…},…}`, without parsing it. */

const METADATA_START = '{"metadata":'.length;
const RESOURCE_VERSION_START = Buffer.from('{"metadata":{"resourceVersion":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The offset behind the metadata. */
export function metadataEnd(itemBytes: Buffer): number {
  let depth = 0;
  for (let at = METADATA_START; at < itemBytes.length; at++) {
    const byte = itemBytes[at];
    if (byte === QUOTE) at = closingQuote(itemBytes, at);
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return at + 1;
  }
  return itemBytes.length;
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
export function resourceVersionOf(itemBytes: Buffer): string | undefined {
  const start = RESOURCE_VERSION_START.length;
  if (itemBytes.compare(RESOURCE_VERSION_START, 0, start, 0, start) !== 0) return undefined;
  return itemBytes.toString('latin1', start, itemBytes.indexOf(QUOTE, start));
}

/** The representation inside a list of a whole object, `{"kind":…,"apiVersion":…,"metadata":{…`. `head`: what stands before the metadata. */
export function toItemEncoding(json: readonly Buffer[], head: Buffer): Buffer {
  // A copy of our own, so that its first byte may be written.
  const itemBytes = Buffer.concat(json).subarray(head.length - 1);
  itemBytes[0] = OPEN_BRACE;
  return itemBytes;
}
