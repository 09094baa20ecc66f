/** A JSON value as sent, without white space outside strings. */
export class RawJson {
  /** Valid, compact JSON text in UTF-8. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  equals(other: RawJson): boolean {
    return this.bytes.equals(other.bytes);
  }
}

/** Removes white space outside strings. `text` must be valid JSON. */
export function compactText(text: string): string {
  let compact = '';
  let copied = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) {
      inString = true;
    } else if (unit <= 0x20) {
      compact += text.slice(copied, at);
      copied = at + 1;
    }
  }
  return copied === 0 ? text : compact + text.slice(copied);
}
