/** The header fields of a response as HTTP/2 has them. */
import { CONNECTION_FIELDS } from '../../http2/request-fields.ts';
import type { ApiResponse } from './request.ts';

/** As Node has it on HTTP/1.1. */
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Names in lower case, one pair for each value, without those that speak of a connection of HTTP/1.1. Undefined: a
 * value cannot be written.
 */
export function responseFields({ headers }: ApiResponse): [name: string, value: string][] | undefined {
  const fields: [string, string][] = [];
  for (const written of Object.keys(headers)) {
    const name = written.toLowerCase();
    const values = headers[written];
    if (values === undefined || CONNECTION_FIELDS.has(name)) continue;
    for (const value of typeof values === 'string' ? [values] : values) {
      if (BAD_VALUE.test(value)) return undefined;
      fields.push([name, value]);
    }
  }
  return fields;
}
