/** Paths that are no resources: discovery, version, health, metrics. */
import type { ApiResponse } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import type { NonResourceRequest } from '../filters/request-info.ts';
import { textResponse } from '../filters/write-status.ts';
import { noSuchPath } from './path-refusals.ts';

export type PathHandler = (context: RequestContext, info: NonResourceRequest) => ApiResponse | Promise<ApiResponse>;

export interface PathTable {
  readonly paths: readonly string[];
  respond(context: RequestContext, info: NonResourceRequest): Promise<ApiResponse>;
}

/** `below`: such a path also answers for one segment below it, as `/readyz/ping` does. */
export interface ServedPath {
  readonly path: string;
  readonly below?: true;
  readonly get: PathHandler;
}

export function createPathTable(served: readonly ServedPath[]): PathTable {
  const exact = new Map(served.map((entry) => [entry.path, entry]));
  const find = ({ path, segments }: NonResourceRequest): ServedPath | undefined => {
    const found = exact.get(path);
    if (found !== undefined || segments.length !== 2) return found;
    const parent = exact.get(`/${segments[0] ?? ''}`);
    return parent?.below === true ? parent : undefined;
  };
  /** A version that a group does not have is refused by the group, as Kubernetes' server does: in a Status. */
  const isOfServedGroup = ({ segments: [root, group, version] }: NonResourceRequest): boolean =>
    root === 'api' ? exact.has('/api') : version !== undefined && root === 'apis' && exact.has(`/apis/${group ?? ''}`);
  return {
    paths: served.map(({ path }) => path).sort(),
    respond: async (context, info) => {
      const found = find(info);
      if (found === undefined) {
        if (isOfServedGroup(info)) throw noSuchPath();
        return textResponse(404, '404 page not found\n');
      }
      if (info.verb !== 'get' && info.verb !== 'head') return textResponse(405, 'method not allowed\n', { Allow: 'GET, HEAD' });
      return found.get(context, info);
    },
  };
}
