/**
 * Shapes to codecs of their messages. A type is walked once and becomes a tree of fields in the order of their numbers, which is the order in
 * which Go writes them.
 *
 * What Go's generated code does, and these do: a field that is no pointer is always written, zero or not; map entries are sorted by their
 * keys' bytes and have both key and value; a repeated field is one tag for each element; messages of one field that come twice are merged.
 * What is read has the form in which Go writes it as JSON, whoever has written it: empty fields are there or not as their `omit` says.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';
import type { ArrayShape, FieldShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { DURATION, INT_OR_STRING, MICRO_TIME, QUANTITY, RAW, TIME } from './message-scalars.ts';
import type { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { BOOLEAN, BYTES, INT32, INT64, STRING } from './plain-scalars.ts';
import { unexpectedValue, type ValueWire } from './value-wire.ts';
import { LENGTH_DELIMITED, VARINT, toTag } from './wire-type.ts';

/** An object or a list that is being read. */
type Members = Record<string, JsonValue | undefined>;

/** One field of a message: what of the object is in it. */
interface FieldWire {
  readonly number: number;
  /** With its tags; nothing when Go would write nothing. */
  write(out: MessageWriter, object: JsonObject): void;
  /** What follows `tag`, into `object`. */
  read(from: MessageReader, tag: number, object: Members): void;
}

/** The fields of one message. */
class FieldTable {
  /** By their numbers. */
  readonly inOrder: FieldWire[] = [];
  readonly #byNumber = new Map<number, FieldWire>();

  /** Once, with all of them. They can be made when the table is known: a type may contain itself. */
  fill(fields: readonly FieldWire[]): void {
    this.inOrder.push(...fields.toSorted((a, b) => a.number - b.number));
    for (const field of fields) this.#byNumber.set(field.number, field);
  }

  write(out: MessageWriter, object: JsonObject): void {
    const { inOrder } = this;
    for (let at = inOrder.length - 1; at >= 0; at--) inOrder[at]?.write(out, object);
  }

  /** To the end of what is open, into `object`. */
  read(from: MessageReader, object: Members): void {
    while (from.hasMore) {
      const tag = from.tag();
      const field = this.#byNumber.get(Math.floor(tag / 8));
      if (field === undefined) from.skip(tag);
      else field.read(from, tag, object);
    }
  }
}

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

/** Of a value that is written by this module, which nobody else has seen yet. */
const isMembers = (value: JsonValue | undefined): value is Members => isJsonObject(value);
const isList = (value: JsonValue | undefined): value is JsonValue[] => Array.isArray(value);

/** What is read may still change: it must not share a struct with the shape. */
function copyOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined) setMember(copy, name, copyOf(member));
  }
  return copy;
}

/** A Go struct that is embedded in another one: its fields are in the same object. */
function embeddedWire(number: number, embedded: readonly FieldWire[]): FieldWire {
  const ownTag = toTag(number, LENGTH_DELIMITED);
  const fields = new FieldTable();
  fields.fill(embedded);
  return {
    number,
    write: (out, object) => {
      const { size } = out;
      fields.write(out, object);
      out.varint(out.size - size);
      out.varint(ownTag);
    },
    read: (from, tag, object) => {
      if (tag !== ownTag) throw from.wrongWireType(tag, `number ${number}`);
      const outer = from.open();
      fields.read(from, object);
      from.close(outer);
    },
  };
}

function singleWire(number: number, { name, type, omit, pointer }: FieldShape, value: ValueWire): FieldWire {
  const ownTag = toTag(number, value.wireType);
  const omitsEmpty = omit !== 'never' && !pointer && canBeEmpty(type);
  // Slices of Go, which are nil.
  const isNothing = pointer || type.shape === 'bytes' || type.shape === 'array';
  let absent: Uint8Array | undefined = isNothing ? new Uint8Array() : undefined;
  return {
    number,
    write: (out, object) => {
      const member = object[name];
      if (member === undefined || member === null) {
        // Made late: a type may contain itself.
        absent ??= zeroBytes(value, ownTag);
        out.bytes(absent);
      } else {
        value.write(out, member);
        out.varint(ownTag);
      }
    },
    read: (from, tag, object) => {
      if (tag !== ownTag) throw from.wrongWireType(tag, name);
      const read = value.read(from, object[name]);
      if (read === null || (omitsEmpty && isEmpty(read))) {
        if (object[name] !== undefined) Reflect.deleteProperty(object, name);
      } else {
        object[name] = read;
      }
    },
  };
}

/** What stands for an absent value that is no pointer. */
function zeroBytes(value: ValueWire, tag: number): Buffer {
  const out = new MessageWriter();
  value.write(out, value.zero);
  out.varint(tag);
  return out.finish();
}

/** Go's `omitempty` never leaves out a struct, and quantities, times and int-or-strings are structs. */
const canBeEmpty = ({ shape }: TypeShape): boolean =>
  shape === 'string' || shape === 'boolean' || shape === 'int32' || shape === 'int64' || shape === 'bytes' || shape === 'array';

/** Of what can be empty. */
const isEmpty = (value: JsonValue): boolean =>
  typeof value === 'object' ? isArray(value) && value.length === 0 : value === '' || value === 0 || value === false;

function repeatedWire(number: number, name: string, items: ValueWire): FieldWire {
  const ownTag = toTag(number, items.wireType);
  const packedTag = items.wireType === VARINT ? toTag(number, LENGTH_DELIMITED) : ownTag;
  return {
    number,
    write: (out, object) => {
      const list = object[name];
      if (list === undefined || list === null) return;
      writeElements(out, list, items, ownTag);
    },
    read: (from, tag, object) => {
      const before = object[name];
      const list = isList(before) ? before : [];
      if (before === undefined) object[name] = list;
      if (tag === ownTag) list.push(items.read(from));
      else if (tag === packedTag) readPacked(from, items, list);
      else throw from.wrongWireType(tag, name);
    },
  };
}

function writeElements(out: MessageWriter, list: JsonValue, items: ValueWire, tag: number): void {
  if (!isArray(list)) throw unexpectedValue('a list', list);
  for (let at = list.length - 1; at >= 0; at--) {
    items.write(out, list[at] ?? items.zero);
    out.varint(tag);
  }
}

function readPacked(from: MessageReader, items: ValueWire, list: JsonValue[]): void {
  const outer = from.open();
  while (from.hasMore) list.push(items.read(from));
  from.close(outer);
}

/** A list that is a message of its own. */
function wrappedWire({ items: { shape } }: ArrayShape, items: ValueWire): ValueWire {
  if (shape === 'array' || shape === 'map') throw new Error(`no message of Kubernetes is a list of ${shape}s`);
  const elements = new FieldTable();
  elements.fill([repeatedWire(1, 'items', items)]);
  return {
    wireType: LENGTH_DELIMITED,
    zero: [],
    write: (out, value) => {
      const { size } = out;
      elements.write(out, { items: value });
      out.varint(out.size - size);
    },
    read: (from, before) => {
      const outer = from.open();
      const members: Members = { items: isList(before) ? before : [] };
      elements.read(from, members);
      from.close(outer);
      return members['items'] ?? [];
    },
  };
}

const KEY_TAG = toTag(1, LENGTH_DELIMITED);
const VALUE = 2;
const ENTRY_FIELDS = ['key', 'value'];

function mapWire(number: number, name: string, values: ValueWire): FieldWire {
  const ownTag = toTag(number, LENGTH_DELIMITED);
  const valueTag = toTag(VALUE, values.wireType);
  return {
    number,
    write: (out, object) => {
      const map = object[name];
      if (map === undefined || map === null) return;
      if (!isJsonObject(map)) throw unexpectedValue('a map', map);
      const keys = sortedNames(Object.keys(map));
      for (let at = keys.length - 1; at >= 0; at--) {
        const key = keys[at] ?? '';
        const value = map[key];
        if (value === undefined) continue;
        const { size } = out;
        values.write(out, value ?? values.zero);
        out.varint(valueTag);
        STRING.write(out, key);
        out.varint(KEY_TAG);
        out.varint(out.size - size);
        out.varint(ownTag);
      }
    },
    read: (from, tag, object) => {
      if (tag !== ownTag) throw from.wrongWireType(tag, name);
      const before = object[name];
      const map = isMembers(before) ? before : {};
      if (before === undefined) object[name] = map;
      const outer = from.open();
      let key = '';
      let value = values.zero;
      while (from.hasMore) {
        const entryTag = from.tag();
        if (entryTag === KEY_TAG) key = from.text();
        else if (entryTag === valueTag) value = values.read(from);
        else from.skipUnknown(entryTag, ENTRY_FIELDS);
      }
      from.close(outer);
      setMember<JsonValue | undefined>(map, key, value);
    },
  };
}
