/** What a request wants to do, for authorization and audit. */
import { checkPathSegment } from '../../apimachinery/meta/names.ts';
import { parseAccessSelectors } from '../../apimachinery/selectors/access-selectors.ts';
import { parseFieldSelector } from '../../apimachinery/selectors/field-selector.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { AccessRequest } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../authentication/authenticator.ts';
import type { RoutedContext } from './context.ts';
import { authorizedNamespace, type ResourceRequest } from './parse-request-info.ts';

export function toAccessRequest(context: RoutedContext, user: UserInfo): AccessRequest {
  const {
    info,
    request: { method },
  } = context;
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { group, version, resource, subresource } = info;
  const name = info.name === '' ? selectedName(context, info) : info.name;
  const namespace = authorizedNamespace(info);
  const access = {
    isResource: true,
    user,
    verb: accessVerb(method, info),
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  } as const;
  if (!SELECTING.has(info.verb) || !context.request.query.includes('Selector')) return access;
  const { query } = context;
  const selector = (parameter: string) => query.first(parameter) ?? '';
  return { ...access, selectors: () => parseAccessSelectors(selector('fieldSelector'), selector('labelSelector')) };
}

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** Kubernetes derives a verb for every method, whether the path supports it or not. */
function accessVerb(method: string, { verb, name, watchPath }: ResourceRequest): string {
  if (watchPath) return 'watch';
  if (verb !== 'unknown') return verb;
  switch (method) {
    case 'HEAD':
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    default:
      return '';
  }
}

/** Spares other queries from being parsed. */
const MAY_SELECT = /fieldSelector|%/;

/** A list or watch that selects one name counts as one of that name. Empty otherwise. */
function selectedName({ query, request }: RoutedContext, { verb, watchPath }: ResourceRequest): string {
  if ((verb !== 'list' && verb !== 'watch') || watchPath || !MAY_SELECT.test(request.query)) return '';
  try {
    const { requirements } = parseFieldSelector(query.first('fieldSelector') ?? '');
    const exact = requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=');
    return exact === undefined || checkPathSegment(exact.value).length > 0 ? '' : exact.value;
  } catch (error) {
    // It is refused later, if the list is allowed at all.
    if (error instanceof StatusError) return '';
    throw error;
  }
}
