import type { Draw } from '../draw.ts';
import { WRONG_TYPES } from '../odd-values.ts';
import { valueAt, type Tree, type TreeObject } from '../tree.ts';
import { acceptHeader, chooseEncoding, writeHeaders } from './options.ts';
import { selectors } from './reads.ts';
import { chooseName, collectionPath, itemPath, verbOf, type CaseState, type PlannedRequest, type Planner } from './request.ts';

/** Each option on its own is likely to be right. */
function options(draw: Draw, stored: TreeObject | undefined): TreeObject {
  const of = (name: string): Tree => valueAt(stored, ['metadata', name]) ?? null;
  const each: readonly (readonly [probability: number, member: () => TreeObject])[] = [
    [0.2, () => ({ gracePeriodSeconds: draw.pick<Tree>([0, 30, -1, 1.5, 'x']) })],
    [0.4, () => ({ propagationPolicy: draw.pick(['Background', 'Foreground', 'Orphan', 'Background', 'Foreground', 'x', '']) })],
    [0.1, () => ({ orphanDependents: draw.pick<Tree>([true, false, 'x']) })],
    [0.1, () => ({ preconditions: { uid: draw.pick<Tree>([of('uid'), 'another', '']) } })],
    [0.1, () => ({ preconditions: { resourceVersion: draw.pick<Tree>([of('resourceVersion'), '1', 'x', '']) } })],
    [0.05, () => ({ preconditions: { uid: of('uid'), resourceVersion: of('resourceVersion') } })],
    [0.15, () => ({ dryRun: draw.pick<Tree>([['All'], ['All', 'All'], ['x'], [], 'All']) })],
    [0.03, () => ({ unknown: 'x' })],
    [0.02, () => ({ ignoreStoreReadErrorWithClusterBreakingPotential: draw.pick<Tree>([true, false]) })],
  ];
  return Object.assign({}, ...each.flatMap(([probability, member]) => (draw.chance(probability) ? [member()] : []))) as TreeObject;
}

/** As a body, as parameters, or none. */
function withOptions(draw: Draw, { target }: CaseState, stored?: TreeObject): Pick<PlannedRequest, 'query' | 'headers' | 'body'> {
  const sent = options(draw, stored);
  if (draw.chance(0.2)) return { query: [], headers: acceptHeader(draw) };
  if (draw.chance(0.3)) {
    const query = Object.entries(sent).map(
      ([name, value]) =>
        [name, Array.isArray(value) ? value.join() : typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
    );
    return { query: query.filter(([name]) => name !== 'preconditions'), headers: acceptHeader(draw) };
  }
  const type = draw.weighted<TreeObject>([
    [8, { kind: 'DeleteOptions', apiVersion: 'v1' }],
    [2, {}],
    [1, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }],
    [0.3, { kind: 'Unknown', apiVersion: 'v1' }],
    [0.3, { kind: 'DeleteOptions', apiVersion: 'a/b/c' }],
  ]);
  const tree = draw.chance(0.02) ? draw.pick(WRONG_TYPES) : { ...type, ...sent };
  const encoding = draw.chance(0.8) ? 'json' : chooseEncoding(draw, target, tree);
  return { query: [], headers: writeHeaders(draw, encoding), body: { tree, encoding } };
}

const encodingOf = ({ body }: Pick<PlannedRequest, 'body'>): string =>
  body === undefined || body.encoding === 'json' ? '' : body.encoding;

export const planDelete: Planner = (draw, state) => {
  const name = chooseName(draw, state);
  const options = withOptions(draw, state, state.objects.get(name));
  return { verb: verbOf('delete', encodingOf(options)), method: 'DELETE', path: itemPath(state, name), ...options };
};

export const planDeleteCollection: Planner = (draw, state) => {
  const { query, ...rest } = withOptions(draw, state);
  return {
    verb: verbOf('delete collection', encodingOf(rest)),
    method: 'DELETE',
    path: collectionPath(state),
    query: [...selectors(draw, state), ...query],
    ...rest,
  };
};

/** What nobody serves. */
export const planUnserved: Planner = (draw, state: CaseState) => {
  const name = chooseName(draw, state);
  const request = draw.pick<Pick<PlannedRequest, 'method' | 'path'>>([
    { method: 'POST', path: itemPath(state, name) },
    { method: 'PUT', path: collectionPath(state) },
    { method: 'PATCH', path: collectionPath(state) },
    { method: 'GET', path: itemPath(state, name, 'unknown') },
    { method: 'DELETE', path: itemPath(state, name, 'status') },
    { method: 'POST', path: itemPath(state, name, 'status') },
    { method: 'GET', path: `${collectionPath(state)}x` },
  ]);
  const body = request.method === 'GET' || request.method === 'DELETE' ? {} : { body: { tree: {}, encoding: 'json' as const } };
  return { verb: 'unserved', ...request, query: [], headers: { accept: 'application/json', 'content-type': 'application/json' }, ...body };
};
