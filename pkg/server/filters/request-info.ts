/** Determines the resource or path of the request. */
import type { BoundedContext, ContextFilter, RoutedContext } from './context.ts';
import { parseRequestInfo } from './parse-request-info.ts';

export const requestInfo: ContextFilter<BoundedContext, RoutedContext> = (next) => (context) => {
  const { method, path } = context.request;
  return next(Object.assign(context, { info: parseRequestInfo(method, path, context.query) }));
};
