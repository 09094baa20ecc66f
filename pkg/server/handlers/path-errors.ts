/** Errors for paths and methods that no resource has. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ApiResponse } from '../transports/request.ts';
import { statusResponse } from '../responses/status-response.ts';

export const pathNotFound = (): StatusError =>
  new StatusError('NotFound', 'the server could not find the requested resource', { details: {} });

/** `allowed`: methods that the path supports. */
export const methodNotAllowed = (
  allowed: Iterable<string>,
  message = 'the server does not allow this method on the requested resource',
): ApiResponse =>
  statusResponse(new StatusError('MethodNotAllowed', message, { details: {} }), { Allow: [...new Set(allowed)].join(', ') });
