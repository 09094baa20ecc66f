import type { ApiRequest, ApiResponse } from './request.ts';

/** Refuses requests that Node itself refuses on HTTP/1.1. */
export function refusalOf({ method, headers }: ApiRequest): ApiResponse | undefined {
  if (method === 'CONNECT') return { code: 405, headers: {}, body: [] };
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return { code: 417, headers: {}, body: [] };
  return undefined;
}
