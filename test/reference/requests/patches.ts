import type { Draw } from '../draw.ts';
import { UNKNOWN_FIELDS, WRONG_TYPES } from '../odd-values.ts';
import { allPlaces, choosePlace, rootPlace, type Place } from '../places.ts';
import { hasPlaceholder } from '../placeholders.ts';
import { isList, isObject, memberOf, type Path, type Tree, type TreeObject } from '../tree.ts';
import { freshValue } from '../values.ts';
import { acceptHeader, applyQuery, writeQuery } from './options.ts';
import {
  chooseName,
  chooseSubresource,
  itemPath,
  newObject,
  verbOf,
  type CaseState,
  type PlannedRequest,
  type Planner,
} from './request.ts';
import { nextState } from './writes.ts';

interface PatchForm {
  readonly verb: string;
  readonly type: string;
  readonly body: (draw: Draw, state: CaseState, name: string) => Tree;
}

const planner =
  ({ verb, type, body }: PatchForm): Planner =>
  (draw, state) => {
    const name = chooseName(draw, state);
    const subresource = chooseSubresource(draw, state, 'patch');
    const isApply = verb === 'apply';
    const odd = draw.chance(0.01) ? draw.pick(['application/json', 'text/plain', `${type};charset=utf-8`, '']) : type;
    return {
      verb: verbOf(verb, subresource),
      method: 'PATCH',
      path: itemPath(state, name, subresource),
      query: isApply ? applyQuery(draw) : writeQuery(draw),
      headers: { ...(draw.chance(0.2) ? acceptHeader(draw) : { accept: 'application/json' }), 'content-type': odd },
      body: { tree: body(draw, state, name), encoding: isApply && draw.chance(0.5) ? 'yaml' : 'json' },
    } satisfies PlannedRequest;
  };

/** A few members of the tree, and of their members. */
function pruned(draw: Draw, tree: Tree, keep: number): Tree {
  if (!isObject(tree)) return tree;
  const members = Object.entries(tree);
  const kept = draw.some(members, keep);
  const chosen = kept.length > 0 || members.length === 0 ? kept : [draw.pick(members)];
  return Object.fromEntries(chosen.map(([name, member]) => [name, pruned(draw, member, keep)]));
}

/** Some members become null, which removes them. */
function withNulls(draw: Draw, tree: Tree): Tree {
  if (!isObject(tree)) return draw.chance(0.1) ? null : tree;
  return Object.fromEntries(Object.entries(tree).map(([name, member]) => [name, withNulls(draw, member)]));
}

function mergePatch(draw: Draw, state: CaseState, name: string): Tree {
  if (draw.chance(0.01)) return draw.pick(WRONG_TYPES);
  const next = nextState(draw, state, name);
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = next;
  return withNulls(draw, pruned(draw, draw.chance(0.1) ? next : rest, 0.4));
}

const DIRECTIVES: readonly TreeObject[] = [
  { $patch: 'delete' },
  { $patch: 'replace' },
  { $patch: 'merge' },
  { $patch: 'x' },
  { $retainKeys: ['name'] },
];

/** A merge patch with directives in some of its objects and lists. */
function strategicPatch(draw: Draw, state: CaseState, name: string): Tree {
  const add = (tree: Tree): Tree => {
    if (isList(tree)) return tree.map(add);
    if (!isObject(tree)) return tree;
    const members = Object.entries(tree).flatMap(([member, value]): (readonly [string, Tree])[] => {
      // Kubernetes adds and deletes in random order.
      if (isList(value) && draw.chance(0.1)) return [[`$deleteFromPrimitiveList/${member}`, value.slice(0, 1)]];
      const order =
        isList(value) && draw.chance(0.1) ? [[`$setElementOrder/${member}`, draw.chance(0.5) ? value : value.toReversed()] as const] : [];
      return [[member, add(value)], ...order];
    });
    return Object.fromEntries([...members, ...(draw.chance(0.04) ? Object.entries(draw.pick(DIRECTIVES)) : [])]);
  };
  return add(mergePatch(draw, state, name));
}

const pointerTo = (path: Path): string => path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function operation(draw: Draw, { shape, corpus }: CaseState['target'], root: Place): Tree {
  const place = choosePlace(draw, root);
  if (place === undefined || shape.fields.length === 0) return { op: 'test', path: '', value: null };
  const places = allPlaces(root).filter(({ value }) => !hasPlaceholder(value));
  const path = draw.chance(0.05) ? `${pointerTo(place.path)}/${draw.pick(['-', '0', '-1', '99', '01', 'x', ''])}` : pointerTo(place.path);
  const value = draw.chance(0.1) ? draw.pick(WRONG_TYPES) : freshValue(draw, corpus, place);
  const from = places.length === 0 ? '' : pointerTo(draw.pick(places).path);
  return draw.weighted<Tree>([
    [6, { op: 'add', path, value }],
    [6, { op: 'replace', path, value }],
    [5, { op: 'remove', path }],
    [2, { op: 'test', path, value: place.value ?? null }],
    [1, { op: 'test', path, value }],
    [2, { op: 'copy', from, path }],
    [2, { op: 'move', from, path }],
    [1, isList(place.value) ? { op: 'add', path: `${path}/-`, value: place.value[0] ?? null } : { op: 'add', path, value }],
    [0.3, { op: draw.pick(['x', '', 'Add']), path, value }],
    [0.3, { op: 'add', path }],
    [0.3, { op: 'remove' }],
    [0.3, { op: 'add', path: draw.pick(UNKNOWN_FIELDS), value }],
  ]);
}

function jsonPatch(draw: Draw, state: CaseState, name: string): Tree {
  if (draw.chance(0.01)) return draw.pick(WRONG_TYPES);
  const stored = state.objects.get(name) ?? newObject(draw, state, name);
  const root = rootPlace(state.target.shape, stored);
  return Array.from({ length: 1 + draw.integer(3) }, () => operation(draw, state.target, root));
}

/** What a client would apply: an intent, without what the server made. */
function configuration(draw: Draw, state: CaseState, name: string): Tree {
  if (draw.chance(0.005)) return draw.pick(WRONG_TYPES);
  const next = nextState(draw, state, name);
  const { kind = null, apiVersion = null, metadata = {}, ...rest } = next;
  const { resourceVersion = null, uid = null, ...sent } = intent(metadata);
  const versions = { ...(draw.chance(0.05) && { resourceVersion }), ...(draw.chance(0.05) && { uid }) };
  const keep = draw.pick([0.5, 0.8, 1]);
  const identity = Object.fromEntries(Object.entries(sent).filter(([member]) => member === 'name' || member === 'namespace'));
  const kept = pruned(draw, { metadata: sent, ...rest }, keep);
  const keptMetadata = memberOf(kept, 'metadata');
  return {
    ...(draw.chance(0.99) && { kind }),
    ...(draw.chance(0.99) && { apiVersion }),
    ...(isObject(kept) ? kept : {}),
    metadata: { ...(isObject(keptMetadata) ? keptMetadata : {}), ...identity, ...versions },
  };
}

const MADE_BY_SERVER = new Set(['creationTimestamp', 'generation', 'managedFields', 'deletionTimestamp', 'deletionGracePeriodSeconds']);

const intent = (metadata: Tree): TreeObject =>
  isObject(metadata) ? Object.fromEntries(Object.entries(metadata).filter(([name]) => !MADE_BY_SERVER.has(name))) : {};

export const planJsonPatch = planner({ verb: 'json patch', type: 'application/json-patch+json', body: jsonPatch });
export const planMergePatch = planner({ verb: 'merge patch', type: 'application/merge-patch+json', body: mergePatch });
export const planStrategicPatch = planner({
  verb: 'strategic patch',
  type: 'application/strategic-merge-patch+json',
  body: strategicPatch,
});
export const planApply = planner({ verb: 'apply', type: 'application/apply-patch+yaml', body: configuration });
