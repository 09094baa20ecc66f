/** `shapes.gen.ts`: the run-time shape of every object type, see `pkg/apis/type-shape.ts`. */
import { reached } from './facts.ts';
import type { Facts, FieldFacts, ProtobufFacts, ValueFacts } from './facts.ts';
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

/** The name of the scalar's shape; `undefined` for arrays, maps and objects. */
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

/** Scalars that are not messages, with their only wire type. */
const PLAIN_WIRE_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  bytes: 'bytes',
};

const member = (value: ValueFacts | undefined): ValueFacts => value ?? { type: 'any' };

/** Facts of a field about its list, map or struct, besides the type. */
type ContainerFacts = Partial<Pick<FieldFacts, 'listType' | 'listMapKeys' | 'mapType' | 'protobuf'>>;

function shapeOf(facts: Facts, value: ValueFacts, field: ContainerFacts = {}): string {
  const scalar = scalarShapeOf(value);
  if (scalar !== undefined) return `{ shape: '${scalar}' }`;
  switch (value.type) {
    case 'array':
      return `{ shape: 'array', items: ${shapeOf(facts, member(value.items))}${wrapping(field)}${listMerge(facts, value, field)} }`;
    case 'map':
      return `{ shape: 'map', values: ${shapeOf(facts, member(value.values), IN_MAP)}${field.mapType === 'atomic' ? ', atomic: true' : ''} }`;
    default: {
      const model = facts.modelOf(value.ref ?? '');
      return model.shape === 'array' ? `{ shape: 'array', items: ${shapeOf(facts, member(model.items))} }` : `${model.typeName}Shape`;
    }
  }
}

/** A map entry has one field for its value, so a list there is a message. */
const IN_MAP: ContainerFacts = { protobuf: { number: 2, label: 'optional', type: '' } };

/** For a list that is not a repeated field: its type is a message. */
const wrapping = ({ protobuf }: ContainerFacts): string => (protobuf?.label === 'optional' ? ', wrapped: true' : '');

function listMerge(facts: Facts, { items }: ValueFacts, { listType, listMapKeys = [] }: ContainerFacts): string {
  if (listType === 'set') return `, merge: { type: 'set' }`;
  if (listType !== 'map') return '';
  const { fields = [] } = facts.modelOf(items?.ref ?? '');
  const keys = listMapKeys.map((name) => {
    const key = fields.find((field) => field.name === name);
    if (key === undefined) throw new Error(`a list is keyed by ${name}, which its elements do not have`);
    return key.openapiDefault === undefined ? `{ name: '${name}' }` : `{ name: '${name}', default: ${JSON.stringify(key.openapiDefault)} }`;
  });
  return `, merge: { type: 'map', keys: [${keys.join(', ')}] }`;
}

function fieldLine(facts: Facts, field: FieldFacts): string {
  const zero = 'zeroEmits' in field ? `, zero: ${JSON.stringify(field.zeroEmits)}` : '';
  const type = shapeOf(facts, field, field);
  return `    { name: '${field.name}', type: ${type}, omit: '${field.omit}', pointer: ${field.pointer === true}${zero}${wire(field)}${structMerge(field)}${patchRules(field)} },\n`;
}

/** Field numbers, outermost first. */
function wire(field: FieldFacts): string {
  const { protobuf, inline = [] } = field;
  const embedding = inline.map(({ protobuf: struct }) => struct?.number);
  if (protobuf === undefined || protobuf === null || embedding.includes(undefined)) return '';
  assertPlain(field, protobuf);
  return `, wire: [${[...embedding, protobuf.number].join(', ')}]`;
}

/** The codec derives the wire type from the shape, so any other type would be encoded incorrectly. */
function assertPlain(field: FieldFacts, { type, label, keyType }: ProtobufFacts): void {
  const value = (label === 'repeated' ? field.items : label === 'map' ? field.values : field) ?? field;
  const expected = PLAIN_WIRE_TYPES[scalarShapeOf(value) ?? ''];
  const isMessage = /^[A-Z]/.test(type.slice(type.lastIndexOf('.') + 1));
  if (expected === undefined ? !isMessage : type !== expected)
    throw new Error(`field ${field.name} is ${type} in protobuf, which no shape supports`);
  if (label === 'map' && keyType !== 'string') throw new Error(`the keys of ${field.name} are not strings in protobuf`);
}

/** For a field that refers to a struct; for a map it is part of the map's shape. */
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
