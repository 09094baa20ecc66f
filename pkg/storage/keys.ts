/**
 * Keys of the store. A key is held as a *byte string*: each character is one byte of its UTF-8 form. Comparing two keys
 * with `<` is then comparing their bytes, which is the order of every backend, and also holds for names that are not
 * ASCII.
 */
declare const keyBrand: unique symbol;
export type Key = string & { readonly [keyBrand]: true };

const ASCII = /^[\x00-\x7f]*$/;

/** From ordinary text. */
export const toKey = (text: string): Key => (ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as Key;
/** Back to ordinary text. */
export const keyText = (key: Key): string => (ASCII.test(key) ? key : Buffer.from(key, 'latin1').toString('utf8'));

export const keyBytes = (key: Key): Buffer => Buffer.from(key, 'latin1');
export const keyFromBytes = (bytes: Uint8Array): Key =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('latin1') as Key;

/** The smallest key behind all keys that start with `prefix`, which must not be empty nor all 0xff. */
export function prefixEnd(prefix: Key): Key {
  let last = prefix.length - 1;
  while (last >= 0 && prefix.charCodeAt(last) === 0xff) last--;
  return (prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1)) as Key;
}

/** The smallest key behind `key`. */
export const keyAfter = (key: Key): Key => (key + '\0') as Key;
