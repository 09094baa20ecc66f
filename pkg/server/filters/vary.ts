import type { Headers } from '../transports/request.ts';

/** Adds a header name to Vary (RFC 9110 section 12.5.5). */
export function addVary(headers: Headers, name: string): void {
  const vary = headers['Vary'];
  if (vary === undefined) headers['Vary'] = name;
  else if (!String(vary).split(', ').includes(name)) headers['Vary'] = `${String(vary)}, ${name}`;
}
