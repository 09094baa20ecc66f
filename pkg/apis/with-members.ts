/** Copy-on-write changes of decoded objects: unchanged objects are returned themselves. */

/** New values of members; undefined removes a member. */
export type PartialMembers<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** `value` with these members; `value` itself if nothing changes. */
export function withMembers<T extends B, B extends object = T>(value: T, members: NoInfer<PartialMembers<B>>): T {
  const wanted: PartialMembers<B> = members;
  let changed: { -readonly [Name in keyof B]?: B[Name] | undefined } | undefined;
  for (const name in wanted) {
    if (wanted[name] === value[name]) continue;
    changed ??= {};
    changed[name] = wanted[name];
  }
  return changed === undefined ? value : { ...value, ...changed };
}

/** `list` with `change` applied to each element; `list` itself if nothing changes. Absent stays absent. */
export function withElements<T>(list: readonly T[] | undefined, change: (element: T) => T): readonly T[] | undefined {
  if (list === undefined) return undefined;
  let changed: T[] | undefined;
  let index = 0;
  for (const before of list) {
    const after = change(before);
    if (changed === undefined && after !== before) changed = list.slice(0, index);
    changed?.push(after);
    index++;
  }
  return changed ?? list;
}

/** Absent stays absent. */
export const ifGiven = <T, R>(value: T | undefined, change: (value: T) => R): R | undefined =>
  value === undefined ? undefined : change(value);

/** For a field that is not a pointer in Go, so empty and zero count as absent. */
export const orDefault = <T extends string | number>(value: T | undefined, otherwise: T): T =>
  value === undefined || value === '' || value === 0 ? otherwise : value;
