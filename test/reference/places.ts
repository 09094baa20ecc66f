/** Where something can be changed in an object, and what is known of each place from the shape of its type. */
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { elementKey, fieldKey } from './corpus.ts';
import type { Draw } from './draw.ts';
import { isList, isObject, memberOf, type Path, type Tree } from './tree.ts';

export interface Place {
  readonly path: Path;
  /** Undefined: below what has no type. */
  readonly shape: TypeShape | undefined;
  /** For the corpus. */
  readonly key: string;
  /** Undefined: absent. */
  readonly value: Tree | undefined;
  /** What the place is in: a member can have any name in a map, none twice in a list. */
  readonly parent: 'root' | 'struct' | 'list' | 'map' | 'untyped';
}

/** The object as a whole. */
export const rootPlace = (shape: TypeShape, value: Tree): Place => ({
  path: [],
  shape,
  key: shape.shape === 'object' ? shape.name : '',
  value,
  parent: 'root',
});

/** Kubernetes writes an object anew when its selfLink changes, but does not show it. */
const UNCOMPARED = new Set([fieldKey('meta.v1.ObjectMeta', 'selfLink')]);

/** Fields of structs may be absent. */
export function childrenOf({ path, shape, key, value }: Place): readonly Place[] {
  const child = (step: string | number, type: TypeShape | undefined, childKey: string, parent: Place['parent']): Place => ({
    path: [...path, step],
    shape: type,
    key: childKey,
    value: memberOf(value, step),
    parent,
  });
  if (shape?.shape === 'object') {
    if (!isObject(value)) return [];
    return shape.fields
      .filter(({ name }) => !UNCOMPARED.has(fieldKey(shape.name, name)))
      .map(({ name, type }) => child(name, type, fieldKey(shape.name, name), 'struct'));
  }
  if (isList(value)) {
    const items = shape?.shape === 'array' ? shape.items : undefined;
    return value.map((_, index) => child(index, items, elementKey(key), items === undefined ? 'untyped' : 'list'));
  }
  if (!isObject(value)) return [];
  const values = shape?.shape === 'map' ? shape.values : undefined;
  return Object.keys(value).map((name) => child(name, values, elementKey(key), values === undefined ? 'untyped' : 'map'));
}

const STOP = 0.25;
const ABSENT_FIELDS = 0.2;

/**
 * A random place, found from the root downwards, so that few fields near the root are as likely as many below. Not the
 * root. Undefined: the object has none.
 */
export function choosePlace(draw: Draw, root: Place, isAllowed: (place: Place) => boolean = () => true): Place | undefined {
  let chosen: Place | undefined;
  for (let at = root; ;) {
    const children = childrenOf(at).filter(isAllowed);
    const present = children.filter(({ value }) => value !== undefined);
    const absent = children.filter(({ value }) => value === undefined);
    const candidates = absent.length > 0 && (present.length === 0 || draw.chance(ABSENT_FIELDS)) ? absent : present;
    if (candidates.length === 0) return chosen;
    at = draw.pick(candidates);
    chosen = at;
    if (at.value === undefined || draw.chance(STOP)) return chosen;
  }
}

/** Every present place but the root. */
export const allPlaces = (root: Place): readonly Place[] =>
  childrenOf(root).flatMap((place) => (place.value === undefined ? [] : [place, ...allPlaces(place)]));
