/**
 * Shapes to codecs of their messages. A type is walked once and becomes a tree of fields. What is read has the form in which Go writes it as
 * JSON, whoever has written it: empty fields are there or not as their `omit` says.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldTable, isMembers, type FieldWire, type Members } from './field-table.ts';
import { embeddedWire, mapWire, repeatedWire, singleWire, wrappedWire } from './field-wires.ts';
import { DURATION, INT_OR_STRING, MICRO_TIME, QUANTITY, RAW, TIME } from './message-scalars.ts';
import type { MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import { BOOLEAN, BYTES, INT32, INT64, STRING } from './plain-scalars.ts';
import { unexpectedValue, type ValueWire } from './value-wire.ts';
import { LENGTH_DELIMITED } from './wire-type.ts';

/** A struct. */
export interface MessageWire extends ValueWire {
  /** The fields alone, without a length. */
  writeFields(out: MessageWriter, object: JsonObject): void;
  /** To the end of what is open. */
  readFields(from: MessageReader): JsonObject;
}

/** Throws for a shape that has no message. */
export function compileMessage(shape: ObjectShape): MessageWire {
  if (shape.fields.length > 0 && shape.fields.every(({ wire }) => wire === undefined))
    throw new Error(`${shape.name} has no protobuf message`);
  const messages = new Map<ObjectShape, MessageWire>();

  const compileStruct = (struct: ObjectShape): MessageWire => {
    const known = messages.get(struct);
    if (known !== undefined) return known;
    const fields = new FieldTable();
    const message = structWire(struct, fields);
    messages.set(struct, message);
    fields.fill(compileFields(struct.fields, 0));
    return message;
  };

  /** Those of one message: `depth` of its embedding. */
  const compileFields = (shapes: readonly FieldShape[], depth: number): FieldWire[] => {
    const byNumber = new Map<number, FieldShape[]>();
    for (const field of shapes) {
      const number = field.wire?.[depth];
      if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), field]);
    }
    return [...byNumber].flatMap(([number, fields]) => {
      const embedded = fields.filter(({ wire = [] }) => wire.length > depth + 1);
      return embedded.length > 0
        ? embeddedWire(number, compileFields(embedded, depth + 1))
        : fields.map((field) => compileField(number, field));
    });
  };

  const compileField = (number: number, field: FieldShape): FieldWire => {
    const { type } = field;
    if (type.shape === 'array' && type.wrapped === undefined) return repeatedWire(number, field.name, compileValue(type.items));
    if (type.shape === 'map') return mapWire(number, field.name, compileValue(type.values));
    return singleWire(number, field, compileValue(type));
  };

  const compileValue = (type: TypeShape): ValueWire => {
    switch (type.shape) {
      case 'object':
        return compileStruct(type);
      case 'array':
        return wrappedWire(type, compileValue(type.items));
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

function structWire(shape: ObjectShape, fields: FieldTable): MessageWire {
  const zeros = shape.fields.flatMap(({ name, zero }) => (zero === undefined || zero === null ? [] : [{ name, zero }]));
  const readFields = (from: MessageReader, object: Members): JsonObject => {
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
      const object = readFields(from, isMembers(before) ? before : {});
      from.close(outer);
      return object;
    },
  };
}

/** What is read may still change: it must not share a struct with the shape. Lists that Go writes as `null` are left out, as in a body of JSON. */
function copyOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined && member !== null) setMember(copy, name, copyOf(member));
  }
  return copy;
}
