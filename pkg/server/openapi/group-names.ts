/** OpenAPI documents are generated for the default group suffix; other suffixes are substituted here. */
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';

/** Maps group names of the documents to those of this server. */
export const groupNameWith =
  (groupSuffix: string) =>
  (group: string): string =>
    group.endsWith(`.${DEFAULT_GROUP_SUFFIX}`) ? group.slice(0, -DEFAULT_GROUP_SUFFIX.length) + groupSuffix : group;

type GroupName = (group: string) => string;
const GVK = 'x-kubernetes-group-version-kind';

/** Renames groups in the keys of `paths` and in `x-kubernetes-group-version-kind`; nothing else contains them. */
export function renameGroups(document: unknown, groupName: GroupName): unknown {
  if (!isObject(document)) return document;
  const paths = isObject(document['paths']) ? document['paths'] : {};
  const renamed = Object.entries(paths).map(([path, operations]) => [renameInPath(path, groupName), operations]);
  return renameGvks({ ...document, paths: Object.fromEntries(renamed) as unknown }, groupName);
}

/** `/apis/<group>/…` */
function renameInPath(path: string, groupName: GroupName): string {
  const [before, root, group, ...rest] = path.split('/');
  return root === 'apis' && group !== undefined ? [before, root, groupName(group), ...rest].join('/') : path;
}

function renameGvks(value: unknown, groupName: GroupName): unknown {
  if (Array.isArray(value)) return value.map((each) => renameGvks(each, groupName));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === GVK ? renameGvk(member, groupName) : renameGvks(member, groupName)]),
  );
}

/** A list for a type, a single value for an operation. */
function renameGvk(value: unknown, groupName: GroupName): unknown {
  if (Array.isArray(value)) return value.map((each) => renameGvk(each, groupName));
  return isObject(value) && typeof value['group'] === 'string' ? { ...value, group: groupName(value['group']) } : value;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
