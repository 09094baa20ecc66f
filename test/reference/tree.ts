/**
 * JSON as the generator handles it: plain values, with numbers that JavaScript has not as tokens (`json-token.ts`).
 * Trees are never modified, so parts of them may be shared.
 */
import { token, toJsonText } from '../support/json-token.ts';

export type Tree = null | boolean | number | string | readonly Tree[] | TreeObject;
export interface TreeObject {
  readonly [name: string]: Tree;
}
export type Path = readonly (string | number)[];

export const isObject = (tree: Tree | undefined): tree is TreeObject => typeof tree === 'object' && tree !== null && !isList(tree);
export const isList = (tree: Tree | undefined): tree is readonly Tree[] => Array.isArray(tree);

/** `__proto__` is a name like others. */
export const memberOf = (tree: Tree | undefined, name: string | number): Tree | undefined => {
  if (isList(tree)) return tree[Number(name)];
  return isObject(tree) && Object.hasOwn(tree, name) ? tree[name] : undefined;
};

export const valueAt = (tree: Tree | undefined, path: Path): Tree | undefined => path.reduce(memberOf, tree);

/** A copy with something else at `path`; undefined removes what is there. A path that leads nowhere changes nothing. */
export function replacedAt(tree: Tree, path: Path, value: Tree | undefined): Tree {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  const inner = memberOf(tree, step);
  const next = rest.length === 0 ? value : inner === undefined ? undefined : replacedAt(inner, rest, value);
  if (rest.length > 0 && inner === undefined) return tree;
  if (isList(tree)) return tree.flatMap((element, index) => (index === step ? (next === undefined ? [] : [next]) : [element]));
  if (!isObject(tree)) return tree;
  const others = Object.entries(tree);
  if (next !== undefined && inner !== undefined)
    return Object.fromEntries(others.map(([name, each]) => [name, name === step ? next : each]));
  const kept = others.filter(([name]) => name !== step);
  return Object.fromEntries(next === undefined ? kept : [...kept, [step, next]]);
}

const AGAIN = '\u0001again:';
const AGAIN_IN_TEXT = JSON.stringify(AGAIN).slice(1, -1);

/** A name for a member that is written as `name` beside the member that has it already. */
export const again = (name: string): string => AGAIN + name;

export const toText = (tree: Tree): string => toJsonText(tree).replaceAll(`"${AGAIN_IN_TEXT}`, '"');

/** Numbers that would be written otherwise become tokens. Throws for what is not JSON. */
export const parseTree = (text: string): Tree =>
  JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source ? token(context.source) : value,
  ) as Tree;
