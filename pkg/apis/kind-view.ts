/**
 * Views: a kind's objects in another version with some renamed fields. A view declares only names; everything else is
 * derived from the kind, so that both behave the same.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { Kind, KindView, KubernetesObject, RenamedField, ResourceDefinition, Strategy } from './kind.ts';
import type { ObjectShape } from './type-shape.ts';

export interface ViewOptions {
  readonly definition: ResourceDefinition;
  readonly shape: ObjectShape;
  readonly renamed: readonly RenamedField[];
  readonly selectedAs: Readonly<Record<string, string>>;
  /** Overrides of the kind's strategy. They get objects in the kind's version. */
  readonly strategy: Pick<Strategy, 'checkName' | 'checksStandardFinalizers' | 'validateCreate' | 'validateUpdate'>;
}

/** Handlers treat a view like a kind. Stored objects and managedFields are in the kind's version. */
export function createView(kind: Kind, { strategy, ...view }: ViewOptions): KindView {
  const { toStored, toView } = createRenaming(view.renamed, { view: view.definition, stored: kind.definition });
  return {
    ...view,
    ...(kind.internal && { internal: kind.internal }),
    stored: kind,
    table: { columns: kind.table.columns, cells: (object) => kind.table.cells(toStored(object)) },
    strategy: {
      ...throughView({ ...kind.strategy, ...strategy }, toStored, toView),
      selectableFields: selectableFields(kind, view, toStored),
    },
  };
}

export const isView = (kind: object): kind is KindView => 'stored' in kind;

/** The kind whose objects are stored: for a view, the kind behind it. */
export const storedKind = <T extends object>(kind: T): T | KindView['stored'] => (isView(kind) ? kind.stored : kind);

export const viewsOf = (kinds: readonly Kind[]): readonly KindView[] => kinds.flatMap(({ views = [] }) => views);

export const renamingOf = ({ renamed, definition, stored }: KindView): Renaming =>
  createRenaming(renamed, { view: definition, stored: stored.definition });

/** Converts objects between the versions. Results share values with the input. */
export interface Renaming {
  readonly toStored: <T extends JsonObject>(object: T) => T;
  readonly toView: <T extends JsonObject>(object: T) => T;
}

type TypeNames = Pick<ResourceDefinition, 'kind' | 'apiVersion'>;

/** Also changes kind and apiVersion, if present. */
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
    // Safe, because `T` only declares kind, apiVersion and metadata, which are not renamed.
    return { ...Object.fromEntries(members), ...type } as T;
  };
}

/** Wraps the functions of a strategy to convert their objects. */
function throughView(strategy: Strategy, toStored: Renaming['toStored'], toView: Renaming['toView']): Strategy {
  const { applyDefaults, dropDisabled, prepareForCreate, applyStoredDefaults, warnOnCreate, warnOnUpdate } = strategy;
  const { validateCreate, validateUpdate, validateStatusUpdate } = strategy;
  const ifStored = (object: KubernetesObject | undefined) => (object === undefined ? undefined : toStored(object));
  return {
    ...strategy,
    ...(applyDefaults && { applyDefaults: (object) => toView(applyDefaults(toStored(object))) }),
    ...(dropDisabled && {
      dropDisabled: (object, stored, context) => toView(dropDisabled(toStored(object), ifStored(stored), context)),
    }),
    ...(prepareForCreate && { prepareForCreate: (object) => toView(prepareForCreate(toStored(object))) }),
    ...(applyStoredDefaults && { applyStoredDefaults: (object) => toView(applyStoredDefaults(toStored(object))) }),
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
    if (read === undefined) throw new Error(`a view selects by ${name}, but ${stored} is not selectable in the kind`);
    return [name, (object: KubernetesObject) => read(toStored(object))] as const;
  });
  return Object.fromEntries(fields);
}
