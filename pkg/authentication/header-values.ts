import type { Credentials } from './authenticator.ts';

/** Every value of a header, in order. `name` in lower case. */
export function headerValues(
  { headers, repeatedHeaders }: Pick<Credentials, 'headers' | 'repeatedHeaders'>,
  name: string,
): readonly string[] {
  const single = headers[name];
  if (single === undefined) return [];
  return (repeatedHeaders?.get(name) ?? [single]).map(headerText);
}

/** Header values have one byte per character; names of users are UTF-8. */
const headerText = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');
