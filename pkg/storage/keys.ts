/** Keys as byte strings, a character for each byte of UTF-8: `<` then compares names as the backends do. */
declare const keyBrand: unique symbol;
export type Key = string & { readonly [keyBrand]: true };

const ASCII = /^[\x00-\x7f]*$/;

export const toKey = (text: string): Key => (ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as Key;
export const keyText = (key: Key): string => (ASCII.test(key) ? key : Buffer.from(key, 'latin1').toString('utf8'));

export const keyBytes = (key: Key): Buffer => Buffer.from(key, 'latin1');
export const keyFromBytes = (bytes: Uint8Array): Key =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('latin1') as Key;

/** The smallest key after all keys that start with `prefix`, which must not be empty nor all 0xff. */
export function prefixEnd(prefix: Key): Key {
  let last = prefix.length - 1;
  while (last >= 0 && prefix.charCodeAt(last) === 0xff) last--;
  return (prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1)) as Key;
}

/** The smallest key after `key`. */
export const keyAfter = (key: Key): Key => (key + '\0') as Key;
