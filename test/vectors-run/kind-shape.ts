import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

/** Throws when there is no such kind. */
export function shapeOfKind(kind: string): ObjectShape {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`There is no kind ${kind}.`);
  return found.shape;
}
