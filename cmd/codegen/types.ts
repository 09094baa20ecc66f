/** `types.gen.ts`: the TypeScript type of every object type. */
import { isRequired, refsOfModel } from './facts.ts';
import type { Facts, FieldFacts, Model, ValueFacts } from './facts.ts';
import { HEADER, importLines } from './generated-file.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Named scalar types in `pkg/apis/scalars.ts`. */
const NAMED_FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'Time',
  'micro-time': 'MicroTime',
  duration: 'Duration',
  quantity: 'Quantity',
  'int-or-string': 'IntOrString',
  'raw-extension': 'Raw',
  'fields-v1': 'FieldsV1',
  byte: 'Bytes',
  int64: 'Int64',
};

const namedFormatOf = (value: ValueFacts): string | undefined => (value.format === undefined ? undefined : NAMED_FORMATS[value.format]);

function typeOf(facts: Facts, value: ValueFacts): string {
  const named = namedFormatOf(value);
  if (named !== undefined) return named;
  if (value.enum !== undefined) return value.enum.map((word) => `'${word}'`).join(' | ');
  switch (value.type) {
    case 'string':
    case 'boolean':
      return value.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'any':
      return 'AnyJson';
    case 'array':
      return `readonly ${arrayItem(facts, value.items)}[]`;
    case 'map':
      return `Readonly<Record<string, ${value.values === undefined ? 'AnyJson' : typeOf(facts, value.values)}>>`;
    case 'ref':
      return refType(facts, value.ref ?? '');
  }
}

function arrayItem(facts: Facts, items: ValueFacts | undefined): string {
  if (items === undefined) return 'AnyJson';
  const type = typeOf(facts, items);
  return type.includes(' ') ? `(${type})` : type;
}

/** Array types are inlined. */
function refType(facts: Facts, ref: string): string {
  const model = facts.modelOf(ref);
  return model.shape === 'array' ? `readonly ${arrayItem(facts, model.items)}[]` : model.typeName;
}

const fieldName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const docComment = (description: string | undefined, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description} */\n`;

const fieldLine = (facts: Facts, field: FieldFacts): string =>
  `${docComment(field.description, '  ')}  readonly ${fieldName(field.name)}${isRequired(field) ? '' : '?'}: ${typeOf(facts, field)};\n`;

const formatsIn = (value: ValueFacts): ValueFacts[] => [
  value,
  ...(value.items === undefined ? [] : formatsIn(value.items)),
  ...(value.values === undefined ? [] : formatsIn(value.values)),
];

/** The names from `scalars.ts` that a type uses. */
const scalarNames = (model: Model): string[] =>
  (model.fields ?? []).flatMap(formatsIn).flatMap((value) => {
    const named = namedFormatOf(value) ?? (value.type === 'any' ? 'AnyJson' : undefined);
    return named === undefined ? [] : [named];
  });

export function generateTypes(facts: Facts): GeneratedFile[] {
  return facts.files.map(({ folder }) => {
    const models = facts.modelsIn(folder).filter(({ shape }) => shape === 'object');
    const imports = models.flatMap((model) => [
      ...scalarNames(model).map((name) => ({ name, file: 'scalars.ts', type: true })),
      ...refsOfModel(model)
        .map(facts.modelOf)
        .filter((ref) => ref.folder !== folder && ref.shape === 'object')
        .map((ref) => ({ name: ref.typeName, file: `${ref.folder}/types.gen.ts`, type: true })),
    ]);
    // Type aliases, not interfaces: interfaces without an index signature are not assignable to JsonObject.
    const types = models.map(
      ({ typeName, description, fields = [] }) =>
        `\n${docComment(description, '')}export type ${typeName} = {\n${fields.map((field) => fieldLine(facts, field)).join('')}};\n`,
    );
    return { path: `pkg/apis/${folder}/types.gen.ts`, text: HEADER + importLines(folder, imports) + types.join('') };
  });
}
