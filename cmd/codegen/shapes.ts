/** `shapes.gen.ts`: the run-time table of every object type, see `pkg/apis/type-shape.ts`. */
import { reached } from './facts.ts';
import type { Facts, FieldFacts, ValueFacts } from './facts.ts';
import { HEADER, importLines } from './generated-file.ts';
import type { GeneratedFile } from './generated-file.ts';

const FORMAT_SHAPES: Readonly<Record<string, string>> = {
  int32: 'int32',
  int64: 'int64',
  float: 'number',
  double: 'number',
  byte: 'bytes',
  'date-time': 'time',
  'micro-time': 'micro-time',
  duration: 'duration',
  quantity: 'quantity',
  'int-or-string': 'int-or-string',
  'raw-extension': 'raw',
  'fields-v1': 'fields-v1',
};

/** Name of the scalar's shape; `undefined` for what has members. */
export function scalarShapeOf(value: ValueFacts): string | undefined {
  if (value.format !== undefined) {
    const shape = FORMAT_SHAPES[value.format];
    if (shape === undefined) throw new Error(`no shape for format ${value.format}`);
    return shape;
  }
  switch (value.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'any':
      return value.type;
    case 'integer':
      return 'int64';
    default:
      return undefined;
  }
}

const member = (value: ValueFacts | undefined): ValueFacts => value ?? { type: 'any' };

type MergeFacts = Partial<Pick<FieldFacts, 'listType' | 'listMapKeys' | 'mapType'>>;

function shapeOf(facts: Facts, value: ValueFacts, merge: MergeFacts = {}): string {
  const scalar = scalarShapeOf(value);
  if (scalar !== undefined) return `{ shape: '${scalar}' }`;
  switch (value.type) {
    case 'array':
      return `{ shape: 'array', items: ${shapeOf(facts, member(value.items))}${listMerge(facts, value, merge)} }`;
    case 'map':
      return `{ shape: 'map', values: ${shapeOf(facts, member(value.values))}${merge.mapType === 'atomic' ? ', atomic: true' : ''} }`;
    default: {
      const model = facts.modelOf(value.ref ?? '');
      return model.shape === 'array' ? `{ shape: 'array', items: ${shapeOf(facts, member(model.items))} }` : `${model.typeName}Shape`;
    }
  }
}

function listMerge(facts: Facts, { items }: ValueFacts, { listType, listMapKeys = [] }: MergeFacts): string {
  if (listType === 'set') return `, merge: { type: 'set' }`;
  if (listType !== 'map') return '';
  const { fields = [] } = facts.modelOf(items?.ref ?? '');
  const keys = listMapKeys.map((name) => {
    const key = fields.find((field) => field.name === name);
    if (key === undefined) throw new Error(`a list has the key ${name}, which its elements do not have`);
    return key.openapiDefault === undefined ? `{ name: '${name}' }` : `{ name: '${name}', default: ${JSON.stringify(key.openapiDefault)} }`;
  });
  return `, merge: { type: 'map', keys: [${keys.join(', ')}] }`;
}

function fieldLine(facts: Facts, field: FieldFacts): string {
  const zero = 'zeroEmits' in field ? `, zero: ${JSON.stringify(field.zeroEmits)}` : '';
  const type = shapeOf(facts, field, field);
  return `    { name: '${field.name}', type: ${type}, omit: '${field.omit}', pointer: ${field.pointer === true}${zero}${structMerge(field)}${patchRules(field)} },\n`;
}

/** Of a field that refers to a struct; a map says it by its own shape. */
const structMerge = ({ structType }: FieldFacts): string => (structType === undefined ? '' : `, atomic: ${structType === 'atomic'}`);

function patchRules({ patchStrategy, patchMergeKey }: FieldFacts): string {
  if (patchStrategy === undefined) return '';
  const key = patchMergeKey === undefined ? '' : `, mergeKey: '${patchMergeKey}'`;
  return `, patch: { strategies: [${patchStrategy.map((strategy) => `'${strategy}'`).join(', ')}]${key} }`;
}

export function generateShapes(facts: Facts): GeneratedFile[] {
  return facts.files.map(({ folder }) => {
    const models = reached(facts, facts.modelsIn(folder)).filter(({ shape }) => shape === 'object');
    const here = models.filter((model) => model.folder === folder);
    const shapes = here.map(
      ({ typeName, shortName, structType, fields = [] }) =>
        `\nexport const ${typeName}Shape: ObjectShape = {\n  shape: 'object',\n  name: '${shortName}',\n  fields: [\n` +
        `${fields.map((field) => fieldLine(facts, field)).join('')}  ],\n${structType === 'atomic' ? '  atomic: true,\n' : ''}};\n`,
    );
    const body = shapes.join('');
    const foreign = models
      .filter((model) => model.folder !== folder && new RegExp(`\\b${model.typeName}Shape\\b`).test(body))
      .map((model) => ({ name: `${model.typeName}Shape`, file: `${model.folder}/shapes.gen.ts`, type: false }));
    const imports = [{ name: 'ObjectShape', file: 'type-shape.ts', type: true }, ...foreign];
    return { path: `pkg/apis/${folder}/shapes.gen.ts`, text: HEADER + importLines(folder, imports) + body };
  });
}
