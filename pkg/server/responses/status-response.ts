/** Responses with a Status, and those outside the API, which are plain text. */
import type { Status, StatusError } from '../../apimachinery/status/status-error.ts';
import type { FixedResponse, Headers } from '../transports/request.ts';

export function statusResponse(error: StatusError, headers: Headers = {}): FixedResponse {
  const seconds = error.details?.retryAfterSeconds;
  if (seconds !== undefined) headers['Retry-After'] = String(seconds);
  return statusBody(error.code, error.toStatus(), headers);
}

export function statusBody(code: number, status: Status, headers: Headers = {}): FixedResponse {
  headers['Content-Type'] = 'application/json';
  return { code, headers, body: [Buffer.from(JSON.stringify(status) + '\n')] };
}

/** Errors outside the API are plain text, as in Kubernetes. */
export function textResponse(code: number, text: string, headers: Headers = {}): FixedResponse {
  headers['Content-Type'] = 'text/plain; charset=utf-8';
  headers['X-Content-Type-Options'] = 'nosniff';
  return { code, headers, body: [Buffer.from(text)] };
}
