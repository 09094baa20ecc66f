/** The defaults of a kind, read from a defaulted object in which every struct is present. */
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import type { Kind, KubernetesObject } from '../../pkg/apis/kind.ts';
import { type Facts, type FieldFacts, isOwnType, type Model, type ValueFacts } from './facts.ts';

/** JSON values by type and field, such as `batch.v1.CronJobSpec.suspend`. */
export type KindDefaults = ReadonlyMap<string, string>;

export function defaultsOf(facts: Facts, kind: Kind, root: Model): KindDefaults {
  const skeleton = objectOf(facts, root, root.folder);
  const filled = kind.strategy.applyDefaults?.(skeleton as KubernetesObject) ?? skeleton;
  const found = new Map<string, string>();
  collect(facts, root, filled, root.folder, found);
  return found;
}

/** An object with every struct of its own; those that other groups share are omitted. */
function objectOf(facts: Facts, { fields = [] }: Model, folder: string): JsonObject {
  const structs = fields.flatMap((field): [string, JsonValue][] => {
    const value = valueOf(facts, field, folder);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(structs);
}

function valueOf(facts: Facts, value: ValueFacts, folder: string): JsonValue | undefined {
  if (value.items !== undefined) {
    const element = valueOf(facts, value.items, folder);
    return element === undefined ? undefined : [element];
  }
  if (value.ref === undefined) return undefined;
  const model = facts.modelOf(value.ref);
  return isOwnType(folder, model) && model.shape === 'object' ? objectOf(facts, model, folder) : undefined;
}

function collect(facts: Facts, model: Model, value: JsonValue | undefined, folder: string, found: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const field of model.fields ?? []) {
    const inner = Reflect.get(value, field.name) as JsonValue | undefined;
    const struct = structOf(facts, field, folder);
    if (struct !== undefined) collect(facts, struct, Array.isArray(inner) ? (inner as readonly JsonValue[])[0] : inner, folder, found);
    else if (inner !== undefined && typeof inner !== 'object') found.set(`${model.shortName}.${field.name}`, JSON.stringify(inner));
  }
}

function structOf(facts: Facts, field: FieldFacts, folder: string): Model | undefined {
  const ref = field.items?.ref ?? field.ref;
  const model = ref === undefined ? undefined : facts.modelOf(ref);
  return model !== undefined && isOwnType(folder, model) && model.shape === 'object' ? model : undefined;
}
