/** Refuses a URL or an announced body that is too large. A body without a length is limited while it is read. */
import { textResponse } from '../responses/status-response.ts';
import { tooLarge } from '../transports/request-body.ts';
import type { BoundedContext, IdentifiedContext, ContextFilter } from './context.ts';

export interface SizeLimits {
  readonly bodyBytes: number;
  readonly urlCharacters: number;
}

/** 3 MiB of body, as in Kubernetes. A URL may hold long selectors. */
export const DEFAULT_SIZE_LIMITS: SizeLimits = { bodyBytes: 3 * 1024 * 1024, urlCharacters: 64 * 1024 };

export const sizeLimits =
  ({ bodyBytes, urlCharacters }: SizeLimits): ContextFilter<IdentifiedContext, BoundedContext> =>
  (next) =>
  (context) => {
    const { request } = context;
    if (request.path.length + request.query.length > urlCharacters) {
      // Not 414: Go's server, and so Kubernetes, counts the URL with the header fields.
      return Promise.resolve(textResponse(431, `the request URL is too long: limit is ${urlCharacters} characters\n`));
    }
    const length = request.headers['content-length'];
    if (length !== undefined && Number(length) > bodyBytes) throw tooLarge(bodyBytes);
    return next(Object.assign(context, { maxBodyBytes: bodyBytes }));
  };
