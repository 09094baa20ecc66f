/** Looks up the fields of a shape by either spelling, and the paths of fields in a document. */
import type { ConfigField, ConfigKindName, ConfigShape } from '../kinds/config-kind.ts';
import { CONFIG_SHAPES } from '../kinds/kinds.gen.ts';

/** Throws if the tables are inconsistent. */
export function shapeNamed(name: string | undefined): ConfigShape {
  const shape = CONFIG_SHAPES[name ?? ''];
  if (shape === undefined) throw new Error(`there is no shape ${JSON.stringify(name)}`);
  return shape;
}

/** `isOld`: by its name in existing files. */
export function fieldNamed({ fields }: ConfigShape, name: string): { readonly field: ConfigField; readonly isOld: boolean } | undefined {
  for (const field of fields) {
    if (field.name === name) return { field, isOld: false };
    if (field.oldName === name) return { field, isOld: true };
  }
  return undefined;
}

/** Paths of all fields of this name in the kind, ignoring case. Excludes fields in lists of objects. */
export function pathsOfFieldsNamed(kind: ConfigKindName, name: string): string[] {
  const wanted = name.toLowerCase();
  return pathsOf(kind, ({ name, oldName }) => name.toLowerCase() === wanted || oldName?.toLowerCase() === wanted);
}

/** The first field that a flag of the component sets; the leading dashes of `name` are optional. */
export function fieldOfFlag(kind: ConfigKindName, name: string): { readonly flag: string; readonly path: string } | undefined {
  const flag = name.startsWith('--') ? name : `--${name}`;
  const [path] = pathsOf(kind, (field, parent) => {
    const kinds = field.flagKinds ?? parent?.flagKinds ?? [kind];
    return kinds.includes(kind) && flagOf(field, parent) === flag;
  });
  return path === undefined ? undefined : { flag, path };
}

/** The flag of the real controller manager; undefined if it has none. */
export const flagOf = (field: ConfigField, parent: ConfigField | undefined): string | undefined =>
  field.flag ?? parent?.flagsOfMembers?.[field.name];

function pathsOf(kind: ConfigKindName, matches: (field: ConfigField, parent: ConfigField | undefined) => boolean): string[] {
  const search = (shape: ConfigShape, within: string, parent?: ConfigField): string[] =>
    shape.fields.flatMap((field) => {
      if (field.movedTo !== undefined) return [];
      const path = `${within}${field.name}`;
      const inner = field.type === 'object' ? search(shapeNamed(field.shape), `${path}.`, field) : [];
      return matches(field, parent) ? [path, ...inner] : inner;
    });
  return search(shapeNamed(kind), '');
}
