/** Routes requests for paths other than resources: discovery, version, health, metrics, documents. */
import type { ApiResponse } from '../transports/request.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { NonResourceRequest } from '../filters/parse-request-info.ts';
import { textResponse } from '../responses/status-response.ts';
import { methodNotAllowed, pathNotFound } from './path-errors.ts';

export type PathHandler = (context: AuthenticatedContext, info: NonResourceRequest) => ApiResponse | Promise<ApiResponse>;

export interface PathRouter {
  readonly paths: readonly string[];
  respond(context: AuthenticatedContext, info: NonResourceRequest): Promise<ApiResponse>;
}

/** `below`: also serves one segment below the path, such as `/readyz/ping`. */
export interface ServedPath {
  readonly path: string;
  readonly below?: true;
  /** `/` does not name it. */
  readonly isUnlisted?: true;
  readonly get: PathHandler;
}

export function createPathRouter(served: readonly ServedPath[]): PathRouter {
  const exact = new Map(served.map((entry) => [entry.path, entry]));
  /** With or without a slash at its end. */
  const find = ({ segments }: NonResourceRequest): ServedPath | undefined => {
    const found = exact.get(`/${segments.join('/')}`);
    if (found !== undefined || segments.length !== 2) return found;
    const parent = exact.get(`/${segments[0] ?? ''}`);
    return parent?.below === true ? parent : undefined;
  };
  /** As in Kubernetes, an unknown version of a served group gets a Status. */
  const isOfServedGroup = ({ segments: [root, group, version] }: NonResourceRequest): boolean =>
    root === 'api' ? exact.has('/api') : version !== undefined && root === 'apis' && exact.has(`/apis/${group ?? ''}`);
  return {
    paths: served.flatMap(({ path, isUnlisted }) => (isUnlisted === true ? [] : [path])).sort(),
    respond: async (context, info) => {
      const found = find(info);
      if (found === undefined) {
        if (isOfServedGroup(info)) throw pathNotFound();
        return textResponse(404, '404 page not found\n');
      }
      if (info.verb !== 'get' && info.verb !== 'head') return methodNotAllowed(['GET', 'HEAD']);
      return found.get(context, info);
    },
  };
}
