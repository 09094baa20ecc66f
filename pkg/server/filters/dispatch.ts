/** The end of the chain: calls the handler of the resource or path. */
import type { PathRouter } from '../handlers/path-router.ts';
import type { ResourceRouter } from '../handlers/resource-router.ts';
import type { AuthenticatedContext, RequestHandler } from './context.ts';

export interface DispatchOptions {
  readonly resourceRouter: ResourceRouter;
  readonly pathRouter: PathRouter;
}

export const createDispatch =
  ({ resourceRouter, pathRouter }: DispatchOptions): RequestHandler<AuthenticatedContext> =>
  (context) => {
    const { info } = context;
    return info.isResource ? resourceRouter.respond(context, info) : pathRouter.respond(context, info);
  };
