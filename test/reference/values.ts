/** Values for a place: known ones of the same field, odd ones of its type, or new ones that have its shape. */
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { elementKey, fieldKey, type Corpus } from './corpus.ts';
import type { Draw } from './draw.ts';
import { ODD_KEYS, oddValues } from './odd-values.ts';
import type { Place } from './places.ts';
import type { Tree } from './tree.ts';

const KNOWN = 0.7;
const MAX_DEPTH = 4;
const MAX_FIELDS = 3;

/** A value that others have in this field, or else one of its shape. */
export function freshValue(draw: Draw, corpus: Corpus, { shape, key }: Pick<Place, 'shape' | 'key'>): Tree {
  return valueOf(draw, corpus, shape, key, 0);
}

function valueOf(draw: Draw, corpus: Corpus, shape: TypeShape | undefined, key: string, depth: number): Tree {
  const known = corpus.values(key);
  if (known.length > 0 && draw.chance(KNOWN)) return draw.pick(known);
  const below = (type: TypeShape, childKey: string) => valueOf(draw, corpus, type, childKey, depth + 1);
  switch (shape?.shape) {
    case 'object': {
      if (depth > MAX_DEPTH) return {};
      const fields = draw.some(shape.fields, MAX_FIELDS / shape.fields.length);
      return Object.fromEntries(fields.map(({ name, type }) => [name, below(type, fieldKey(shape.name, name))]));
    }
    case 'array': {
      const count = depth > MAX_DEPTH ? 0 : draw.integer(3);
      return Array.from({ length: count }, () => below(shape.items, elementKey(key)));
    }
    case 'map': {
      const count = depth > MAX_DEPTH ? 0 : draw.integer(3);
      return Object.fromEntries(Array.from({ length: count }, () => [draw.pick(ODD_KEYS), below(shape.values, elementKey(key))]));
    }
    default:
      return draw.pick(oddValues(shape?.shape));
  }
}
