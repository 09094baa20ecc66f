/** Facts of the configuration kinds: `facts.json`, `descriptions.json`, `controllers.json` in `pkg/config/kinds`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigField, ConfigKind, ConfigKindName, ConfigShape } from '../../../pkg/config/kinds/config-kind.ts';
import type { KnownControllers } from '../../../pkg/config/kinds/known-controllers.ts';

interface ConfigFieldFacts extends Omit<ConfigField, 'type' | 'description' | 'shape'> {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'ref';
  readonly ref?: string;
  readonly items?: { readonly type: 'string' | 'ref'; readonly ref?: string };
}

interface KindFacts {
  /** Only for kinds that are documents. */
  readonly topLevel?: Omit<ConfigKind, 'kind'>;
  readonly fields: readonly ConfigFieldFacts[];
}

type ConfigDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ConfigFacts {
  readonly kinds: readonly ConfigKind[];
  /** The shapes of documents come first; each shape is listed once. */
  readonly shapes: readonly ConfigShape[];
  /** The content of `controllers.json`. */
  readonly controllers: KnownControllers;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Throws when a kind or field has no description, a default has no source, or a description has no field. */
export function readConfigFacts(folder: string): ConfigFacts {
  const { kinds } = readJson(path.join(folder, 'facts.json')) as { kinds: Readonly<Record<string, KindFacts>> };
  const descriptions = readJson(path.join(folder, 'descriptions.json')) as ConfigDescriptions;
  for (const [kind, texts] of Object.entries(descriptions)) {
    const known = new Set(['', ...(kinds[kind]?.fields ?? []).map(({ name }) => name)]);
    const unknown = Object.keys(texts).find((field) => kinds[kind] === undefined || !known.has(field));
    if (unknown !== undefined) throw new Error(`descriptions.json describes ${kind} ${unknown}, which facts.json does not have`);
  }
  return {
    kinds: Object.entries(kinds).flatMap(([kind, { topLevel }]) =>
      topLevel === undefined ? [] : [{ kind: kind as ConfigKindName, ...topLevel }],
    ),
    shapes: Object.entries(kinds).map(([name, { fields }]) => ({
      name,
      description: textOf(descriptions, name, ''),
      fields: fields.map((field) => {
        if (field.type !== 'ref' && field.movedTo === undefined && (field.default === undefined || field.source === undefined)) {
          throw new Error(`facts.json has no default or no source of the default for ${name} ${field.name}`);
        }
        return toField(field, textOf(descriptions, name, field.name));
      }),
    })),
    controllers: readJson(path.join(folder, 'controllers.json')) as KnownControllers,
  };
}

function textOf(descriptions: ConfigDescriptions, kind: string, field: string): string {
  const text = descriptions[kind]?.[field];
  if (text === undefined) throw new Error(`descriptions.json does not describe ${kind} ${field}`);
  return text;
}

function toField({ type, ref, items, ...rest }: ConfigFieldFacts, description: string): ConfigField {
  const { name, ...others } = rest;
  const shape = ref ?? items?.ref;
  const own = type === 'array' ? 'list' : type === 'ref' ? 'object' : type;
  return { name, description, type: own, ...(shape === undefined ? {} : { shape }), ...others };
}

/** The named shape and all shapes reachable from it, itself first. Throws on a cycle or an unknown name. */
export function shapesOf(facts: ConfigFacts, name: string, within: readonly string[] = []): ConfigShape[] {
  const shape = facts.shapes.find((each) => each.name === name);
  if (shape === undefined || within.includes(name)) throw new Error(`${[...within, name].join(' → ')}: unknown shape or cycle`);
  const inner = shape.fields.flatMap((field) => (field.shape === undefined ? [] : shapesOf(facts, field.shape, [...within, name])));
  return [...new Set([shape, ...inner])];
}
