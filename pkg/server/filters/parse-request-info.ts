/**
 * The resource or path of a request, from its method, path and query. It does not know which resources exist.
 * Percent-decoding happens only here, so that authorization and handlers see the same path.
 */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { Verb } from '../../apis/kind.ts';
import { booleanOf, type Query } from './query.ts';

export type RequestInfo = ResourceRequest | NonResourceRequest;

export interface ResourceRequest {
  readonly isResource: true;
  readonly verb: ResourceVerb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty: cluster-scoped or all namespaces. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  readonly subresource: string;
  /** The path has a `/watch/` segment before the resource. */
  readonly watchPath: boolean;
  /** There are segments after the subresource; no path of this API has them. */
  readonly extraSegments: boolean;
}

export interface NonResourceRequest {
  readonly isResource: false;
  /** The method in lower case. */
  readonly verb: string;
  /** Decoded, with the trailing slash if there is one. */
  readonly path: string;
  readonly segments: readonly string[];
}

/** `unknown`: no resource supports this method on such a path. */
export type ResourceVerb = Verb | 'unknown';

/** Segments before the resource: `/apis/<group>/<version>/<resource>` or `/api/<version>/<resource>`. */
const segmentsBefore = (root: string) => (root === 'apis' ? 3 : root === 'api' ? 2 : 0);

/** `/namespaces/<name>/status` is a part of the namespace, not a resource in it. As in Kubernetes, for every group. */
const NAMESPACE_SUBRESOURCES: readonly string[] = ['status', 'finalize'];

export function parseRequestInfo(method: string, path: string, query: Query): RequestInfo {
  const segments = splitPath(path);
  const [root = ''] = segments;
  const before = segmentsBefore(root);
  if (before === 0 || segments.length <= before) {
    // Rules tell `/custom/` from `/custom`.
    const end = path.length > 1 && path.endsWith('/') ? '/' : '';
    return { isResource: false, verb: method.toLowerCase(), path: `/${segments.join('/')}${end}`, segments };
  }
  const group = root === 'apis' ? (segments[1] ?? '') : '';
  const version = segments[before - 1] ?? '';
  let at = before;
  const watchPath = segments[at] === 'watch' && segments.length > at + 1;
  if (watchPath) at += 1;
  let namespace = '';
  if (segments[at] === 'namespaces' && segments.length > at + 2 && !NAMESPACE_SUBRESOURCES.includes(segments[at + 2] ?? '')) {
    namespace = segments[at + 1] ?? '';
    at += 2;
  }
  const resource = segments[at] ?? '';
  const name = segments[at + 1] ?? '';
  const subresource = segments[at + 2] ?? '';
  const verb = verbOf(method, { named: name !== '', subresource: subresource !== '', watchPath }, query);
  return {
    isResource: true,
    verb,
    group,
    version,
    resource,
    namespace,
    name,
    subresource,
    watchPath,
    extraSegments: segments.length > at + 3,
  };
}

/** The namespace that permission is asked for. As in Kubernetes, a Namespace is an object of itself. */
export const authorizedNamespace = ({ resource, name, namespace }: ResourceRequest): string =>
  resource === 'namespaces' ? name : namespace;

interface PathParts {
  readonly named: boolean;
  readonly subresource: boolean;
  readonly watchPath: boolean;
}

function verbOf(method: string, { named, subresource, watchPath }: PathParts, query: Query): ResourceVerb {
  switch (method) {
    case 'GET':
      if (watchPath) return 'watch';
      if (named) return 'get';
      return booleanOf(query, 'watch') === true ? 'watch' : 'list';
    case 'POST':
      return (named && !subresource) || watchPath ? 'unknown' : 'create';
    case 'PUT':
      return named && !watchPath ? 'update' : 'unknown';
    case 'PATCH':
      return named && !watchPath ? 'patch' : 'unknown';
    case 'DELETE':
      if (watchPath) return 'unknown';
      return named ? 'delete' : 'deletecollection';
    default:
      return 'unknown';
  }
}

/** Ignores one trailing slash. Refuses paths that servers could interpret differently. */
function splitPath(path: string): readonly string[] {
  if (!path.startsWith('/')) throw badRequest('the request path must start with "/"');
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  const segments = path.slice(1, end).split('/');
  if (segments.length === 1 && segments[0] === '') return [];
  for (let i = 0; i < segments.length; i++) {
    const raw = segments[i] ?? '';
    const segment = raw.includes('%') ? decodeSegment(raw) : raw;
    if (segment === '') throw badRequest('the request path has an empty segment');
    if (segment === '.' || segment === '..') throw badRequest(`the request path must not contain the segment "${segment}"`);
    segments[i] = segment;
  }
  return segments;
}

function decodeSegment(raw: string): string {
  let segment;
  try {
    segment = decodeURIComponent(raw);
  } catch (error) {
    if (error instanceof URIError) throw badRequest(`the request path is not valid percent-encoded UTF-8: ${JSON.stringify(raw)}`);
    throw error;
  }
  if (segment.includes('/') || segment.includes('\0')) throw badRequest('the request path must not contain an encoded "/" or NUL');
  return segment;
}
