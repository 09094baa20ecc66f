/** Bytes to objects by the shape of a type. What the parser needs of the shape is compiled once per kind. */
import type { JsonShape, FieldForm } from '../apimachinery/json/json-shape.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { parseJson, type JsonFinding } from '../apimachinery/json/parse-json.ts';
import type { RecentStructs } from '../apimachinery/json/recent-structs.ts';
import { isJsonObject } from '../apimachinery/json/write-json.ts';
import { normalizeQuantity } from '../apimachinery/quantity/quantity.ts';
import { quotedText } from '../apimachinery/status/quoted-text.ts';
import { badRequest, type StatusCause } from '../apimachinery/status/status-error.ts';
import { isMicroTime, normalizeMicroTime, normalizeTime } from '../apimachinery/time/rfc3339.ts';
import type { ScalarShape, TypeShape } from '../apis/type-shape.ts';

export interface DecodedObject {
  /** Known fields only, without `null`; valid times and quantities are canonical. Types are not checked. */
  readonly object: JsonObject;
  /** Unknown and duplicate fields. `fieldValidation` of the request decides about them. */
  readonly findings: readonly JsonFinding[];
  /** Wrong types that only the text shows. To be reported together with the errors of the schema. */
  readonly causes: readonly StatusCause[];
}

/** Throws StatusError BadRequest for a body that is empty, malformed, nested too deep or no object. */
export function decodeObject(bytes: Uint8Array, shape: JsonShape, recent?: RecentStructs): DecodedObject {
  const { value, findings, causes } = parseJson(bytes, shape, 'values', recent);
  if (!isJsonObject(value)) throw badRequest(`the body must be a JSON object, not ${describe(value)}`);
  return { object: value, findings, causes };
}

/** `unknown field "spec.schedul"`, as in a warning. */
export const findingText = ({ kind, path }: JsonFinding): string => `${kind} field ${quotedText(path)}`;

/** The message of fieldValidation Strict. */
export const strictDecodingErrorText = (findings: readonly JsonFinding[]): string =>
  `strict decoding error: ${findings.map(findingText).join(', ')}`;

const describe = (value: JsonValue): string => (Array.isArray(value) ? 'a list' : `a ${typeof value}`);

/** Compiles a shape for the parser. Traverses the whole type, so do it once. Shapes may be recursive. */
export function compileShape(shape: TypeShape): JsonShape {
  const compiled = new Map<TypeShape, JsonShape>();
  const compile = (type: TypeShape): JsonShape => {
    const known = compiled.get(type);
    if (known !== undefined) return known;
    switch (type.shape) {
      case 'object': {
        const fields = new Map<string, FieldForm>();
        const form: JsonShape = { form: 'object', fields, zero: {} };
        compiled.set(type, form);
        type.fields.forEach((field, index) => fields.set(field.name, { name: field.name, index, shape: compile(field.type) }));
        return form;
      }
      case 'array': {
        const form: JsonShape = { form: 'array', items: compile(type.items), zero: null };
        compiled.set(type, form);
        return form;
      }
      case 'map': {
        const form: JsonShape = { form: 'map', values: compile(type.values), zero: null };
        compiled.set(type, form);
        return form;
      }
      default:
        return compileScalar(type);
    }
  };
  return compile(shape);
}

const compileScalar = ({ shape }: ScalarShape): JsonShape => {
  switch (shape) {
    case 'string':
    case 'duration':
      return { form: 'any', zero: '' };
    case 'bytes':
      return { form: 'bytes', zero: '' };
    case 'boolean':
      return { form: 'any', zero: false };
    case 'int32':
    case 'int64':
    case 'int-or-string':
      return { form: 'integer', zero: 0 };
    case 'number':
      return { form: 'any', zero: 0 };
    case 'time':
      return { form: 'text', zero: null, numbersAreText: false, normalize: (text) => orOriginal(normalizeTime(text), text) };
    case 'micro-time':
      return {
        form: 'text',
        zero: null,
        numbersAreText: false,
        normalize: (text) => (isMicroTime(text) ? orOriginal(normalizeMicroTime(text), text) : text),
      };
    case 'quantity':
      // Kubernetes trims quantities in JSON, and only there.
      return {
        form: 'text',
        zero: '0',
        numbersAreText: true,
        normalize: (text) => normalizeQuantity(text) ?? normalizeQuantity(text.trim()) ?? text,
      };
    case 'raw':
    case 'fields-v1':
      return { form: 'raw', zero: null };
    case 'any':
      return { form: 'any', zero: null };
  }
};

const orOriginal = (normalized: string | null | undefined, sent: string) => (normalized === undefined ? sent : normalized);
