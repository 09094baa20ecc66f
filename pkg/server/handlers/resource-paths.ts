/** The verbs and methods of each path of a resource. */
import type { ResourceDefinition, Verb } from '../../apis/kind.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';

const METHOD_OF: Record<Verb, string> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Whether the resource has such a path, for any verb. */
export function hasPath({ namespaced, subresources }: ResourceDefinition, info: ResourceRequest): boolean {
  if (info.extraSegments || (info.namespace !== '' && !namespaced)) return false;
  if (info.name !== '' && namespaced && info.namespace === '') return false;
  return info.subresource === '' || (!info.watchPath && subresources.some(({ name }) => name === info.subresource));
}

const ON_OBJECT: readonly Verb[] = ['get', 'update', 'patch', 'delete'];
const ON_SUBRESOURCE: readonly Verb[] = ['get', 'create', 'update', 'patch'];
const ON_COLLECTION: readonly Verb[] = ['list', 'create', 'deletecollection', 'watch'];
const ACROSS_NAMESPACES: readonly Verb[] = ['list', 'watch'];
const WATCH_ONLY: readonly Verb[] = ['watch'];

/** The verbs of a path. */
export function allowedVerbs(definition: ResourceDefinition, info: ResourceRequest): readonly Verb[] {
  const { verbs = [] } =
    info.subresource === '' ? definition : (definition.subresources.find(({ name }) => name === info.subresource) ?? {});
  return verbsOfPath(definition, info).filter((verb) => verbs.includes(verb));
}

function verbsOfPath({ namespaced }: ResourceDefinition, info: ResourceRequest): readonly Verb[] {
  if (info.watchPath) return WATCH_ONLY;
  if (info.subresource !== '') return ON_SUBRESOURCE;
  if (info.name !== '') return ON_OBJECT;
  return namespaced && info.namespace === '' ? ACROSS_NAMESPACES : ON_COLLECTION;
}

export const methodsOf = (verbs: readonly Verb[]): readonly string[] => verbs.map((verb) => METHOD_OF[verb]);
