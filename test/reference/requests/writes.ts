import type { Draw } from '../draw.ts';
import { mutate } from '../mutate.ts';
import { oddNames } from '../odd-metadata.ts';
import { isObject, replacedAt, valueAt, type Tree, type TreeObject } from '../tree.ts';
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
  const object = draw.chance(0.65) ? mutate(valid, { draw, ...state.target }) : valid;
  const named = draw.chance(0.04) ? withGeneratedName(draw, object) : object;
  const query = writeQuery(draw);
  // A generated name is another one on each server, so nothing is stored.
  const more = named === object ? query : [...query.filter(([option]) => option !== 'dryRun'), ['dryRun', 'All'] as const];
  return { verb: 'create', method: 'POST', path: collectionPath(state), query: more, ...withBody(draw, state, named) };
};

function withGeneratedName(draw: Draw, object: TreeObject): TreeObject {
  const name = valueAt(object, ['metadata', 'name']);
  const base = draw.pick(oddNames(typeof name === 'string' ? name : 'x'));
  return changed(draw.chance(0.9) ? changed(object, ['metadata', 'name'], undefined) : object, ['metadata', 'generateName'], base);
}

function changed(object: TreeObject, path: readonly string[], value: Tree | undefined): TreeObject {
  const result = replacedAt(object, path, value);
  return isObject(result) ? result : object;
}

export const planUpdate: Planner = (draw, state) => {
  const name = chooseName(draw, state);
  const subresource = chooseSubresource(draw, state);
  const object = draw.chance(0.9) ? nextState(draw, state, name) : newObject(draw, state, name);
  return {
    verb: verbOf('update', subresource),
    method: 'PUT',
    path: itemPath(state, name, subresource),
    query: writeQuery(draw),
    ...withBody(draw, state, withVersion(draw, object)),
  };
};

/** What is stored, changed; a new object where nothing is stored. */
export function nextState(draw: Draw, state: CaseState, name: string): TreeObject {
  const stored = state.objects.get(name);
  if (stored === undefined) return newObject(draw, state, name);
  const merged = draw.chance(0.2) ? { ...newObject(draw, state, name), metadata: stored['metadata'] ?? {} } : stored;
  return draw.chance(0.1) ? merged : mutate(merged, { draw, ...state.target });
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

function withBody(draw: Draw, { target }: CaseState, tree: TreeObject): Pick<PlannedRequest, 'headers' | 'body'> {
  const encoding = chooseEncoding(draw, target, tree);
  return { headers: writeHeaders(draw, encoding), body: { tree, encoding } };
}
