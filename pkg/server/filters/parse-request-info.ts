/** The step that reads what the request is about. */
import type { Filter } from './context.ts';
import { parseRequestInfo } from './request-info.ts';

export const requestInfo: Filter = (next) => (context) => {
  const { method, path } = context.request;
  context.info = parseRequestInfo(method, path, context.query);
  return next(context);
};
