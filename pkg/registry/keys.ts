/** Keys of objects in the store: `/<group>/<resource>/[<namespace>/]<name>`. The group without a name is `core`. */
import { groupName } from '../apis/group-name.ts';
import type { ResourceDefinition } from '../apis/kind.ts';
import { badRequest } from '../apimachinery/status/status-error.ts';
import { type Key, keyText, toKey } from '../storage/keys.ts';
import type { ObjectName } from './object-store.ts';

type Placed = Pick<ResourceDefinition, 'group' | 'resource' | 'namespaced'>;

const resourceText = ({ group, resource }: Placed): string => `/${groupName(group)}/${resource}/`;

/** Prefix of exactly the keys of a resource. */
export const resourcePrefix = (definition: Placed): Key => toKey(resourceText(definition));

/** Prefix of the keys of a list: of one namespace or of the whole resource. */
export function listPrefix(definition: Placed, namespace: string | undefined): Key {
  const prefix = resourcePrefix(definition);
  if (!definition.namespaced || namespace === undefined || namespace === '') return prefix;
  assertSegment('namespace', namespace);
  return `${prefix}${toKey(namespace)}/` as Key;
}

export function objectKey(definition: Placed, { namespace, name }: ObjectName): Key {
  assertSegment('name', name);
  if (definition.namespaced) assertSegment('namespace', namespace);
  return toKey(`${resourceText(definition)}${definition.namespaced ? `${namespace}/` : ''}${name}`);
}

/** The name of the object with this key. */
export function parseObjectKey(definition: Placed, key: Key): ObjectName {
  const path = keyText(key).slice(resourceText(definition).length);
  const slash = definition.namespaced ? path.indexOf('/') : -1;
  return { namespace: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

/** A second check: a segment must never reach into another namespace or resource. */
function assertSegment(what: string, segment: string): void {
  if (segment === '' || segment.includes('/')) throw badRequest(`${what} "${segment}" is not a path segment`);
}
