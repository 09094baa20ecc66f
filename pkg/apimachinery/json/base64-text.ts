/** Base64 as Go reads and writes it in JSON: padded; line breaks are ignored. Nothing here decodes. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Of a text whose length is a multiple of 4. */
const PADDED = /^[A-Za-z0-9+/]*={0,2}$/;

const withoutLineBreaks = (text: string): string => (text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, '') : text);

export function isBase64(text: string): boolean {
  const unbroken = withoutLineBreaks(text);
  return unbroken.length % 4 === 0 && PADDED.test(unbroken);
}

/** As Go writes the same bytes: without line breaks, with unused bits 0. Invalid text stays invalid. */
export function normalizeBase64(text: string): string {
  const unbroken = withoutLineBreaks(text);
  if (!unbroken.endsWith('=')) return unbroken;
  const [last, unused] = unbroken.endsWith('==') ? [unbroken.length - 3, 0b1111] : [unbroken.length - 2, 0b11];
  const value = ALPHABET.indexOf(unbroken.charAt(last));
  return (value & unused) === 0 || value < 0
    ? unbroken
    : unbroken.slice(0, last) + ALPHABET.charAt(value & ~unused) + unbroken.slice(last + 1);
}

/** How many bytes a normalized text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
