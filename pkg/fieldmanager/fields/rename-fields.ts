/** Sets of paths in the words of another version, in which fields of the object itself have other names. */
import { FieldSet } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';

export type ElementNames = ReadonlyMap<PathElement, PathElement>;

export const elementNames = (names: readonly (readonly [from: string, to: string])[]): ElementNames =>
  new Map(names.map(([from, to]) => [fieldElement(from), fieldElement(to)]));

/**
 * The same fields under the names that the other version has for them. A name that only the other version has was never a field of this one, and is left
 * out: there it would mean something.
 */
export function renameFields(set: FieldSet, names: ElementNames): FieldSet {
  if (names.size === 0 || set.isEmpty) return set;
  const taken = new Set(names.values());
  const renamed = <T>(elements: Iterable<T>, of: (entry: T) => PathElement) =>
    [...elements].flatMap((entry) => {
      const name = names.get(of(entry)) ?? of(entry);
      return name === of(entry) && taken.has(name) ? [] : [{ name, entry }];
    });
  const members = new Set(renamed(set.members, (element) => element).map(({ name }) => name));
  const children = new Map(renamed(set.children, ([element]) => element).map(({ name, entry: [, child] }) => [name, child]));
  return members.size === 0 && children.size === 0 ? FieldSet.empty : new FieldSet(members, children);
}
