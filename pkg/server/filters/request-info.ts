/** Determines the resource or path of the request. */
import type { BoundedContext, PhaseFilter, RoutedContext } from './context.ts';
import { parseRequestInfo } from './parse-request-info.ts';

export const requestInfo: PhaseFilter<BoundedContext, RoutedContext> = (next) => (context) => {
  const { method, path } = context.request;
  return next(Object.assign(context, { info: parseRequestInfo(method, path, context.query) }));
};
