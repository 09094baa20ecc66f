/** `descriptions.json`: texts for the types and fields of the `facts.json` in the same folder. */
import { existsSync, readFileSync } from 'node:fs';

interface DescribedField {
  readonly name: string;
  /** The structs that the field was flattened from, outermost first. */
  readonly inline?: readonly { readonly from: string }[];
}

interface NamedType {
  readonly fields?: readonly DescribedField[];
}

/** By model name. The key `""` describes the type, every other key a field. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Merges the files; missing files are skipped. Throws when two files describe the same type. */
export function readDescriptions(files: readonly string[]): Descriptions {
  const all: Record<string, Readonly<Record<string, string>>> = {};
  for (const file of files.filter((name) => existsSync(name))) {
    for (const [model, texts] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Descriptions)) {
      if (all[model] !== undefined) throw new Error(`${file} describes ${model} again`);
      all[model] = texts;
    }
  }
  return all;
}

/** `types` with descriptions. Throws for a description of an unknown field, and for a text that would end a comment. */
export function describeTypes<T extends NamedType>(
  types: Readonly<Record<string, T>>,
  descriptions: Descriptions,
): Readonly<Record<string, T & { readonly description?: string }>> {
  const textOf = (model: string, field: string): { readonly description?: string } => {
    const description = descriptions[model]?.[field];
    return description === undefined ? {} : { description };
  };
  // A flattened field has the description from its struct, unless the type that it was flattened into has its own.
  const describeField = (model: string, field: DescribedField): DescribedField =>
    [...(field.inline ?? []).map(({ from }) => from), model].reduce(
      (described, owner) => ({ ...described, ...textOf(owner, field.name) }),
      field,
    );
  for (const [model, texts] of Object.entries(descriptions)) {
    const known = new Set(['', ...(types[model]?.fields ?? []).map(({ name }) => name)]);
    const unknown = Object.keys(texts).find((field) => types[model] === undefined || !known.has(field));
    if (unknown !== undefined) throw new Error(`descriptions.json describes ${model} ${unknown}, which facts.json does not have`);
    for (const [field, text] of Object.entries(texts)) {
      // Generators, including those of clients, copy descriptions into comments.
      if (text.includes('*/')) throw new Error(`descriptions.json: the text of ${model} ${field} contains "*/", which ends comments`);
    }
  }
  return Object.fromEntries(
    Object.entries(types).map(([model, facts]) => {
      const fields = facts.fields?.map((field) => describeField(model, field));
      return [model, { ...facts, ...textOf(model, ''), ...(fields === undefined ? {} : { fields }) }];
    }),
  );
}
