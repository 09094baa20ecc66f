/**
 * Views: a kind's objects in another version, where some fields have other names. A view is data; everything that a
 * kind needs beyond its names is made of the kind, so that both mean the same.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { Kind, KindView, KubernetesObject, RenamedField, ResourceDefinition, Strategy } from './kind.ts';
import type { ObjectShape } from './type-shape.ts';

export interface ViewOptions {
  readonly definition: ResourceDefinition;
  readonly shape: ObjectShape;
  readonly renamed: readonly RenamedField[];
  readonly selectedAs: Readonly<Record<string, string>>;
  /** What of the kind's strategy does not hold here. It is given objects as the kind has them. */
  readonly strategy: Pick<Strategy, 'checkName' | 'validateCreate' | 'validateUpdate'>;
}

/** Handlers do not know that it is a view. What is stored, and managedFields, are the kind's. */
export function createView(kind: Kind, { strategy, ...view }: ViewOptions): KindView {
  const { toStored, toView } = createRenaming(view.renamed, { view: view.definition, stored: kind.definition });
  return {
    ...view,
    stored: kind,
    table: { columns: kind.table.columns, cells: (object) => kind.table.cells(toStored(object)) },
    strategy: {
      ...throughView({ ...kind.strategy, ...strategy }, toStored, toView),
      selectableFields: selectableFields(kind, view, toStored),
    },
  };
}

export const isView = (kind: object): kind is KindView => 'stored' in kind;

/** The kind that is stored: of a view that is another. */
export const storedKind = <T extends object>(kind: T): T | KindView['stored'] => (isView(kind) ? kind.stored : kind);

export const viewsOf = (kinds: readonly Kind[]): readonly KindView[] => kinds.flatMap(({ views = [] }) => views);

export const renamingOf = ({ renamed, definition, stored }: KindView): Renaming =>
  createRenaming(renamed, { view: definition, stored: stored.definition });

/** An object as the other version has it. Free of effects; the values are shared. */
export interface Renaming {
  readonly toStored: <T extends JsonObject>(object: T) => T;
  readonly toView: <T extends JsonObject>(object: T) => T;
}

type TypeNames = Pick<ResourceDefinition, 'kind' | 'apiVersion'>;

/** Kind and version change too, where an object has them. */
export function createRenaming(
  renamed: readonly RenamedField[],
  types: { readonly view: TypeNames; readonly stored: TypeNames },
): Renaming {
  return {
    toStored: renaming(new Map(renamed.map(({ name, stored }) => [name, stored])), types.stored),
    toView: renaming(new Map(renamed.map(({ name, stored }) => [stored, name])), types.view),
  };
}

function renaming(names: ReadonlyMap<string, string>, { kind, apiVersion }: TypeNames): <T extends JsonObject>(object: T) => T {
  return <T extends JsonObject>(object: T): T => {
    const members = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
    const type = { ...('kind' in object && { kind }), ...('apiVersion' in object && { apiVersion }) };
    // What is renamed is what the type `T` does not speak of: it knows kind, apiVersion and metadata.
    return { ...Object.fromEntries(members), ...type } as T;
  };
}

/** Every function of a strategy takes objects, and some give one back. */
function throughView(strategy: Strategy, toStored: Renaming['toStored'], toView: Renaming['toView']): Strategy {
  const { applyDefaults, dropDisabled, validateCreate, validateUpdate, validateStatusUpdate, warnOnCreate, warnOnUpdate } = strategy;
  const ifStored = (object: KubernetesObject | undefined) => (object === undefined ? undefined : toStored(object));
  return {
    ...strategy,
    ...(applyDefaults && { applyDefaults: (object) => toView(applyDefaults(toStored(object))) }),
    ...(dropDisabled && {
      dropDisabled: (object, stored, context) => toView(dropDisabled(toStored(object), ifStored(stored), context)),
    }),
    ...(validateCreate && { validateCreate: (object, context) => validateCreate(toStored(object), context) }),
    ...(validateUpdate && { validateUpdate: (object, stored, context) => validateUpdate(toStored(object), toStored(stored), context) }),
    ...(validateStatusUpdate && {
      validateStatusUpdate: (object, stored, context) => validateStatusUpdate(toStored(object), toStored(stored), context),
    }),
    ...(warnOnCreate && { warnOnCreate: (object) => warnOnCreate(toStored(object)) }),
    ...(warnOnUpdate && { warnOnUpdate: (object, stored) => warnOnUpdate(toStored(object), toStored(stored)) }),
  };
}

function selectableFields(
  { strategy }: Kind,
  { selectedAs }: Pick<ViewOptions, 'selectedAs'>,
  toStored: Renaming['toStored'],
): NonNullable<Strategy['selectableFields']> {
  const fields = Object.entries(selectedAs).map(([name, stored]) => {
    const read = strategy.selectableFields?.[stored];
    if (read === undefined) throw new Error(`a view selects by ${name}, which the kind does not have as ${stored}`);
    return [name, (object: KubernetesObject) => read(toStored(object))] as const;
  });
  return Object.fromEntries(fields);
}
