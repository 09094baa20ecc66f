/** Random changes to an object: most leave it nearly right. */
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';
import type { Corpus } from './corpus.ts';
import type { Draw } from './draw.ts';
import { oddNames } from './odd-metadata.ts';
import { ODD_KEYS, oddValues, UNKNOWN_FIELDS, WRONG_TYPES } from './odd-values.ts';
import { allPlaces, choosePlace, rootPlace, type Place } from './places.ts';
import { again, isList, isObject, replacedAt, valueAt, type Tree, type TreeObject } from './tree.ts';
import { hasPlaceholder } from './placeholders.ts';
import { freshValue } from './values.ts';

interface Context {
  readonly draw: Draw;
  readonly corpus: Corpus;
  readonly root: Tree;
  readonly place: Place;
}

/** The object changed at the place; undefined: this is no change that can be made there. */
type Mutation = (context: Context) => Tree | undefined;

const put = ({ root, place }: Context, value: Tree | undefined): Tree => replacedAt(root, place.path, value);

/** Adds a member to what the place is in. */
function addBeside({ root, place }: Context, name: string, value: Tree): Tree | undefined {
  const path = place.path.slice(0, -1);
  const parent = valueAt(root, path);
  return isObject(parent) ? replacedAt(root, path, Object.fromEntries([...Object.entries(parent), [name, value]])) : undefined;
}

const drop: Mutation = (context) => (context.place.value === undefined ? undefined : put(context, undefined));
const nothing: Mutation = (context) => put(context, null);
const wrongType: Mutation = (context) => put(context, context.draw.pick(WRONG_TYPES));
const fresh: Mutation = (context) => put(context, freshValue(context.draw, context.corpus, context.place));

const odd: Mutation = (context) => {
  const values = oddValues(context.place.shape?.shape);
  return values.length === 0 ? fresh(context) : put(context, context.draw.pick(values));
};

const nearMiss: Mutation = (context) => {
  const { value } = context.place;
  if (typeof value !== 'string' || value.startsWith('\u0001') || hasPlaceholder(value)) return undefined;
  const changes = [
    value.toLowerCase(),
    value.toUpperCase(),
    `${value} `,
    ` ${value}`,
    `${value}x`,
    `${value}-`,
    value.slice(1),
    value.slice(0, -1),
    value.replace('e', 'é'),
    `${value}/${value}`,
    value.repeat(20).slice(0, 2000),
  ];
  return put(context, context.draw.pick(changes));
};

const unknownField: Mutation = (context) =>
  context.place.parent === 'struct' || context.place.parent === 'root'
    ? addBeside(context, context.draw.pick(UNKNOWN_FIELDS), context.draw.pick(WRONG_TYPES))
    : undefined;

/** The same name twice in the text. */
const duplicateField: Mutation = (context) => {
  const { place } = context;
  const name = place.path.at(-1);
  if (typeof name !== 'string' || place.value === undefined) return undefined;
  return addBeside(context, again(name), place.value);
};

const repeatElement: Mutation = (context) => {
  const { draw, place } = context;
  if (!isList(place.value) || place.value.length === 0) return undefined;
  const elements = [...place.value];
  elements.splice(draw.integer(elements.length + 1), 0, draw.pick(elements));
  return put(context, elements);
};

const addElement: Mutation = (context) => {
  const { draw, corpus, place } = context;
  if (place.shape?.shape !== 'array' || !isList(place.value)) return undefined;
  return put(context, [...place.value, freshValue(draw, corpus, { shape: place.shape.items, key: `${place.key}[]` })]);
};

const reverseElements: Mutation = (context) => {
  const { value } = context.place;
  return isList(value) && value.length > 1 ? put(context, value.toReversed()) : undefined;
};

const oddKey: Mutation = (context) => {
  const { draw, corpus, place } = context;
  if (place.shape?.shape !== 'map') return undefined;
  const members = isObject(place.value) ? Object.entries(place.value) : [];
  const value = freshValue(draw, corpus, { shape: place.shape.values, key: `${place.key}[]` });
  return put(context, Object.fromEntries([...members, [draw.pick(ODD_KEYS), value]]));
};

/** Rules compare fields with each other: a value from elsewhere in the object may be right here. */
const copy: Mutation = (context) => {
  const { draw, root, place } = context;
  const others = allPlaces({ ...place, path: [], shape: undefined, key: '', value: root, parent: 'root' });
  const similar = others.filter(
    ({ value }) => typeof value === typeof place.value && isList(value) === isList(place.value) && !hasPlaceholder(value),
  );
  return similar.length === 0 || place.value === undefined ? undefined : put(context, draw.pick(similar).value);
};

const MUTATIONS: readonly (readonly [weight: number, mutation: Mutation])[] = [
  [3, drop],
  [1, nothing],
  [2, wrongType],
  [6, odd],
  [8, fresh],
  [3, nearMiss],
  [1, unknownField],
  [2, repeatElement],
  [2, addElement],
  [0.5, reverseElements],
  [2, oddKey],
  [2, copy],
];

const NAME: Place['path'] = ['metadata', 'name'];
/** They say what the request is about. */
const IDENTITY = new Set(['kind', 'apiVersion', 'metadata', 'metadata,name', 'metadata,namespace']);
const IDENTITY_CHANGES = 0.02;
const DUPLICATES = 0.05;

export interface MutateOptions {
  readonly draw: Draw;
  readonly corpus: Corpus;
  readonly shape: ObjectShape;
  /** A field may be there twice. Which one counts is not compared, so nothing else may change it later. */
  readonly duplicates?: boolean;
}

export function mutate(object: TreeObject, { draw, corpus, shape, duplicates = false }: MutateOptions): TreeObject {
  let changed = object;
  const mayChangeIdentity = draw.chance(IDENTITY_CHANGES);
  const isAllowed = ({ path }: Place) => mayChangeIdentity || path[0] === 'metadata' || !IDENTITY.has(path.join());
  const mutations = Array.from({ length: 1 + draw.integer(3) }, () => draw.weighted(MUTATIONS));
  if (duplicates && draw.chance(DUPLICATES)) mutations.push(duplicateField);
  for (const mutation of mutations) {
    const place = choosePlace(draw, rootPlace(shape, changed), isAllowed);
    if (place === undefined) continue;
    const isIdentity = IDENTITY.has(place.path.join());
    if (isIdentity && !mayChangeIdentity) continue;
    const next = mutation({ draw, corpus, root: changed, place });
    if (isObject(next)) changed = next;
  }
  return mayChangeIdentity ? withOddName(draw, changed, valueAt(object, NAME)) : changed;
}

/** Other objects must not be met: odd names are made of the name. */
function withOddName(draw: Draw, object: TreeObject, name: Tree | undefined): TreeObject {
  const odd = typeof name === 'string' && draw.chance(0.9) ? draw.pick(oddNames(name)) : draw.pick([null, 1, true, {}, []]);
  const changed = replacedAt(object, NAME, odd);
  return isObject(changed) ? changed : object;
}
