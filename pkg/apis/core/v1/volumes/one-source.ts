/** The rule that a volume has exactly one source. */
import { forbidden, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

/** One rule per source, in Kubernetes' order: the first one present is the source of the volume. */
export type SourceRules<Sources> = {
  readonly [Name in keyof Sources]-?: (source: NonNullable<Sources[Name]>, path: FieldPath) => readonly StatusCause[];
};

export interface SourceException {
  /** What Kubernetes calls it in paths of the source's fields, instead of its JSON name. */
  readonly fields?: string;
  /** What Kubernetes calls it in the cause that refuses it beside another source. */
  readonly additional?: string;
  /** Kubernetes does not refuse it beside another source, but checks it there too. */
  readonly isCheckedBesideOthers?: boolean;
}

export type SourceExceptions<Sources> = { readonly [Name in keyof Sources]?: SourceException };

/** The rule of an object whose members include the sources. `path`: that of the object. */
export function createOneSourceRule<Sources extends object>(
  rules: SourceRules<Sources>,
  exceptions: SourceExceptions<Sources>,
): (object: Sources, path: FieldPath) => readonly StatusCause[] {
  const isSource = (name: PropertyKey): name is keyof Sources & string => Object.hasOwn(rules, name);
  const inOrder = Object.keys(rules).filter(isSource);

  const fieldCauses = <Name extends keyof Sources & string>(name: Name, source: Sources[Name], path: FieldPath): readonly StatusCause[] =>
    source === undefined || source === null ? NO_CAUSES : rules[name](source, path.child(exceptions[name]?.fields ?? name));

  return (object, path) => {
    const present = Object.keys(object).filter(isSource);
    const [first, ...others] = present.length > 1 ? inOrder.filter((name) => present.includes(name)) : present;
    if (first === undefined) return [required(path, 'must specify a volume type')];
    const causes = fieldCauses(first, object[first], path);
    if (others.length === 0) return causes;
    const additional = others.flatMap((name) => {
      if (exceptions[name]?.isCheckedBesideOthers === true) return fieldCauses(name, object[name], path);
      return [forbidden(path.child(exceptions[name]?.additional ?? name), 'may not specify more than 1 volume type')];
    });
    return [...causes, ...additional];
  };
}
