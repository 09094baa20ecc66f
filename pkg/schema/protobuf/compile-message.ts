/**
 * Compiles shapes to codecs of their protobuf messages. Each type is traversed once. Decoded objects have the form of
 * Go's JSON: `omit` decides whether empty fields are present.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldTable, isMutableMembers, type FieldCodec, type MutableMembers } from './field-table.ts';
import { embeddedStructCodec, mapFieldCodec, repeatedFieldCodec, singularFieldCodec, wrappedListCodec } from './field-codecs.ts';
import { DURATION, INT_OR_STRING, MICRO_TIME, QUANTITY, RAW, TIME } from './message-scalars.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import { BOOLEAN, BYTES, INT32, INT64, STRING } from './plain-scalars.ts';
import { unexpectedValue, type ValueCodec } from './value-codec.ts';
import { LENGTH_DELIMITED } from './wire-type.ts';

/** The codec of a struct. */
export interface StructCodec extends ValueCodec {
  /** Writes the fields without a length. */
  writeFields(out: MessageWriter, object: JsonObject): void;
  /** Reads to the end of the open message. */
  readFields(from: MessageReader): JsonObject;
}

/** Throws for a shape without a protobuf message, such as that of a Table. */
export function checkHasMessage({ name, fields }: ObjectShape): void {
  if (fields.length > 0 && fields.every(({ wire }) => wire === undefined)) throw new Error(`${name} has no protobuf message`);
}

export function compileMessage(shape: ObjectShape): StructCodec {
  const messages = new Map<ObjectShape, StructCodec>();

  const compileStruct = (struct: ObjectShape): StructCodec => {
    const known = messages.get(struct);
    if (known !== undefined) return known;
    const fields = new FieldTable();
    const message = structCodec(struct, fields);
    messages.set(struct, message);
    fields.fill(compileFields(struct.fields, 0));
    return message;
  };

  /** The fields of one message; `depth` is its depth of embedding. */
  const compileFields = (shapes: readonly FieldShape[], depth: number): FieldCodec[] => {
    const byNumber = new Map<number, FieldShape[]>();
    for (const field of shapes) {
      const number = field.wire?.[depth];
      if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), field]);
    }
    return [...byNumber].flatMap(([number, fields]) => {
      const embedded = fields.filter(({ wire = [] }) => wire.length > depth + 1);
      return embedded.length > 0
        ? embeddedStructCodec(number, compileFields(embedded, depth + 1))
        : fields.map((field) => compileField(number, field));
    });
  };

  const compileField = (number: number, field: FieldShape): FieldCodec => {
    const { type } = field;
    if (type.shape === 'array' && type.wrapped === undefined) return repeatedFieldCodec(number, field.name, compileValue(type.items));
    if (type.shape === 'map') return mapFieldCodec(number, field.name, compileValue(type.values));
    return singularFieldCodec(number, field, compileValue(type));
  };

  const compileValue = (type: TypeShape): ValueCodec => {
    switch (type.shape) {
      case 'object':
        return compileStruct(type);
      case 'array':
        return wrappedListCodec(type, compileValue(type.items));
      case 'string':
        return STRING;
      case 'boolean':
        return BOOLEAN;
      case 'int32':
        return INT32;
      case 'int64':
        return INT64;
      case 'bytes':
        return BYTES;
      case 'time':
        return TIME;
      case 'micro-time':
        return MICRO_TIME;
      case 'duration':
        return DURATION;
      case 'quantity':
        return QUANTITY;
      case 'int-or-string':
        return INT_OR_STRING;
      case 'raw':
      case 'fields-v1':
        return RAW;
      case 'map':
      case 'number':
      case 'any':
        throw new Error(`no message of Kubernetes has a value of the shape ${type.shape}`);
      default:
        return type satisfies never;
    }
  };

  return compileStruct(shape);
}

function structCodec(shape: ObjectShape, fields: FieldTable): StructCodec {
  const zeros = shape.fields.flatMap(({ name, zero }) => (zero === undefined || zero === null ? [] : [{ name, zero }]));
  const readFields = (from: MessageReader, object: MutableMembers): JsonObject => {
    fields.read(from, object);
    for (const { name, zero } of zeros) if (object[name] === undefined) object[name] = copyOf(zero);
    return object;
  };
  return {
    wireType: LENGTH_DELIMITED,
    zero: {},
    writeFields: (out, object) => fields.write(out, object),
    readFields: (from) => readFields(from, {}),
    write: (out, value) => {
      if (!isJsonObject(value)) throw unexpectedValue(shape.name, value);
      const { size } = out;
      fields.write(out, value);
      out.varint(out.size - size);
    },
    read: (from, before) => {
      const outer = from.open();
      const object = readFields(from, isMutableMembers(before) ? before : {});
      from.close(outer);
      return object;
    },
  };
}

/** Copies a zero value, since decoded objects are modified. Like the JSON decoder, omits `null` lists. */
function copyOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined && member !== null) setMember(copy, name, copyOf(member));
  }
  return copy;
}
