import type { Draw } from '../draw.ts';
import { valueAt } from '../tree.ts';
import { acceptHeader } from './options.ts';
import {
  chooseName,
  chooseSubresource,
  collectionPath,
  itemPath,
  verbOf,
  type CaseState,
  type PlannedRequest,
  type Planner,
} from './request.ts';

type Query = PlannedRequest['query'];

const PRETTY: Query = [['pretty', 'true']];
const includeObject = (draw: Draw): Query => [['includeObject', draw.pick(['None', 'Metadata', 'Object', 'x'])]];

export const planGet: Planner = (draw, state) => {
  const subresource = chooseSubresource(draw, state, 'get');
  const query = draw.weighted<Query>([
    [8, []],
    [1, [['resourceVersion', draw.pick(['', 'x', '-1'])]]],
    [1, PRETTY],
    [1, includeObject(draw)],
  ]);
  return {
    verb: verbOf('get', subresource),
    method: 'GET',
    path: itemPath(state, draw.chance(0.95) ? chooseName(draw, state) : 'missing', subresource),
    query,
    headers: acceptHeader(draw),
  };
};

const LABELS = [
  'app=web',
  'app==web',
  'app!=web',
  'app in (web,x)',
  'app notin (web)',
  'app',
  '!app',
  'app,tier=back',
  '',
  'x=',
  'x>1',
  'x<5',
  'app in ()',
];
const BAD_LABELS = ['app in web', '=', 'app=a=b', 'app=Not Valid', 'Bad Key=x', '(', 'a,,b', '!', 'a in (b', ','];

/** In a cluster-wide collection everything else is another case's. */
function labelSelector(draw: Draw, { target, label }: CaseState): Query {
  const own = label.join('=');
  const selector = draw.weighted([
    [6, ''],
    [6, draw.pick(LABELS)],
    [1, draw.pick(BAD_LABELS)],
  ]);
  if (!target.definition.namespaced) return [['labelSelector', selector === '' ? own : `${own},${selector}`]];
  return selector === '' ? [] : [['labelSelector', selector]];
}

function fieldSelector(draw: Draw, state: CaseState): Query {
  if (draw.chance(0.6)) return [];
  const { selectableFields, shape } = state.target;
  const stored = [...state.objects.values()];
  const requirement = (field: string): string => {
    const value = stored.length === 0 ? undefined : valueAt(draw.pick(stored), field.split('.'));
    const text =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : draw.pick(['', 'x', 'a\\,b']);
    return `${field}${draw.pick(['=', '==', '!='])}${text.replaceAll(/[\\,=]/g, '\\$&')}`;
  };
  const supported = () => requirement(draw.pick(selectableFields));
  const selector = draw.weighted<() => string>([
    [6, supported],
    [2, () => `${supported()},${supported()}`],
    [1, () => requirement(draw.pick(['spec', 'status.phase', 'metadata.uid', 'metadata', ...shape.fields.map(({ name }) => name)]))],
    [1, () => draw.pick(['metadata.name', '=', ',', 'metadata.name=a\\x', 'metadata.name in (a)', ' metadata.name=a ', ''])],
  ])();
  return [['fieldSelector', selector]];
}

const page = (draw: Draw, { continueToken }: CaseState): Query =>
  draw.weighted<Query>([
    [6, []],
    [3, [['limit', draw.pick(['1', '2', '500', '0', '-1', 'x', ''])]]],
    [
      continueToken === undefined ? 0 : 6,
      [
        ['limit', draw.pick(['1', '5'])],
        ['continue', continueToken ?? ''],
      ],
    ],
    [0.3, [['continue', draw.pick(['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ', ''])]]],
  ]);

const version = (draw: Draw): Query =>
  draw.weighted<Query>([
    [12, []],
    [1, [['resourceVersion', draw.pick(['', 'x', '-1'])]]],
    [
      1,
      [
        ['resourceVersion', draw.pick(['', '0', '1'])],
        ['resourceVersionMatch', draw.pick(['x', '', 'exact'])],
      ],
    ],
    [0.5, [['resourceVersionMatch', draw.pick(['Exact', 'NotOlderThan'])]]],
    [0.5, [['sendInitialEvents', draw.pick(['true', 'false'])]]],
    [0.5, [['allowWatchBookmarks', draw.pick(['true', 'x'])]]],
    [0.5, [['timeoutSeconds', draw.pick(['30', '-1', 'x'])]]],
    [0.5, PRETTY],
    [1, includeObject(draw)],
  ]);

export const planList: Planner = (draw, state) => ({
  verb: 'list',
  method: 'GET',
  path: collectionPath(state),
  query: [...labelSelector(draw, state), ...fieldSelector(draw, state), ...page(draw, state), ...version(draw)],
  headers: acceptHeader(draw),
});

/** The selectors of a deletion. */
export const selectors = (draw: Draw, state: CaseState): Query => [...labelSelector(draw, state), ...fieldSelector(draw, state)];
