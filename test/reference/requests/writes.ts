import type { Draw } from '../draw.ts';
import { mutate } from '../mutate.ts';
import { oddNames } from '../odd-metadata.ts';
import { isObject, replacedAt, type Tree, type TreeObject } from '../tree.ts';
import { chooseEncoding, writeHeaders, writeQuery } from './options.ts';
import {
  chooseName,
  chooseSubresource,
  collectionPath,
  itemPath,
  newObject,
  verbOf,
  type CaseState,
  type PlannedRequest,
  type Planner,
} from './request.ts';

export const planCreate: Planner = (draw, state) => {
  const free = state.names.filter((name) => !state.objects.has(name));
  const name = free.length > 0 && draw.chance(0.9) ? draw.pick(free) : draw.pick(state.names);
  const valid = newObject(draw, state, name);
  const object = draw.chance(0.65) ? mutate(valid, { draw, ...state.target, duplicates: true }) : valid;
  const request = { method: 'POST', path: collectionPath(state) } as const;
  const query = writeQuery(draw);
  if (draw.chance(0.96)) return { ...request, query, ...withBody(draw, state, object, 'create') };
  // A random digit behind a dot is refused where a letter is not.
  const generateName = draw.pick(oddNames(name).filter((odd) => !odd.endsWith('.')));
  const unnamed = draw.chance(0.9) ? changed(object, ['metadata', 'name'], undefined) : object;
  return {
    ...request,
    // A generated name is another one on each server, so nothing is stored.
    query: [...query.filter(([option]) => option !== 'dryRun'), ['dryRun', 'All']],
    ...withBody(draw, state, changed(unnamed, ['metadata', 'generateName'], generateName), 'create'),
    generateName,
  };
};

function changed(object: TreeObject, path: readonly string[], value: Tree | undefined): TreeObject {
  const result = replacedAt(object, path, value);
  return isObject(result) ? result : object;
}

export const planUpdate: Planner = (draw, state) => {
  const name = chooseName(draw, state);
  const subresource = chooseSubresource(draw, state, 'update');
  const object = draw.chance(0.9) ? nextState(draw, state, name, true) : newObject(draw, state, name);
  return {
    method: 'PUT',
    path: itemPath(state, name, subresource),
    query: writeQuery(draw),
    ...withBody(draw, state, withVersion(draw, object), 'update', subresource),
  };
};

/** What is stored, changed; a new object where nothing is stored. */
export function nextState(draw: Draw, state: CaseState, name: string, duplicates = false): TreeObject {
  const stored = state.objects.get(name);
  if (stored === undefined) return newObject(draw, state, name);
  const merged = draw.chance(0.2) ? { ...newObject(draw, state, name), metadata: stored['metadata'] ?? {} } : stored;
  return draw.chance(0.1) ? merged : mutate(merged, { draw, ...state.target, duplicates });
}

/** With the resourceVersion and uid of the stored object, without, or with wrong ones. */
const withVersion = (draw: Draw, object: TreeObject): TreeObject =>
  draw.weighted<() => TreeObject>([
    [12, () => object],
    [4, () => changed(object, ['metadata', 'resourceVersion'], undefined)],
    [0.5, () => changed(object, ['metadata', 'resourceVersion'], draw.pick(['1', '0', 'x', '']))],
    [2, () => changed(object, ['metadata', 'uid'], undefined)],
    [0.5, () => changed(object, ['metadata', 'uid'], 'another')],
    [4, () => changed(object, ['metadata', 'managedFields'], undefined)],
  ])();

/** `verb` in one or more words. */
function withBody(
  draw: Draw,
  { target }: CaseState,
  tree: TreeObject,
  ...verb: readonly string[]
): Pick<PlannedRequest, 'verb' | 'headers' | 'body'> {
  const encoding = chooseEncoding(draw, target, tree);
  return { verb: verbOf(...verb, encoding === 'json' ? '' : encoding), headers: writeHeaders(draw, encoding), body: { tree, encoding } };
}
