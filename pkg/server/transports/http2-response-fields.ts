/** Header fields of a response in HTTP/2. */
import { CONNECTION_FIELDS } from '../../http2/request-fields.ts';
import type { ApiResponse } from './request.ts';

/** Node's check for HTTP/1.1. */
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Lower-case names, one pair per value, without connection-specific fields. Undefined when a value is not valid. */
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
