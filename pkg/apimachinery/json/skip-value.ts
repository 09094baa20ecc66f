/** Finds the ends of values in JSON that is known to be valid, without parsing. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The offset after the string that starts at `at`. */
export function stringEnd(json: Buffer, at: number): number {
  for (let i = at + 1; i < json.byteLength; i++) {
    const byte = json[i];
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
  return json.byteLength;
}

/** The offset after the value that starts at `at`. */
export function skipValue(json: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < json.byteLength;) {
    switch (json[i]) {
      case QUOTE:
        i = stringEnd(json, i);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        i++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth === 0) return i;
        depth--;
        i++;
        break;
      default:
        if (depth === 0 && json[i] === COMMA) return i;
        i++;
        continue;
    }
    if (depth === 0) return i;
  }
  return json.byteLength;
}
