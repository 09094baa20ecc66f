/**
 * The kinds of fields that messages have. What Go's generated code does, and these do: a field that is no pointer is always written, zero or not;
 * map entries are sorted by their keys' bytes and have both key and value; a repeated field is one tag for each element; messages of one
 * field that come twice are merged.
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { ArrayShape, FieldShape, TypeShape } from '../../apis/type-shape.ts';
import { MAX_OBJECT_BYTES } from '../encode.ts';
import { FieldTable, isList, isMembers, type FieldWire, type Members } from './field-table.ts';
import type { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { STRING } from './plain-scalars.ts';
import { unexpectedValue, type ValueWire } from './value-wire.ts';
import { LENGTH_DELIMITED, VARINT, toTag } from './wire-type.ts';

/** A Go struct that is embedded in another one: its fields are in the same object. */
export function embeddedWire(number: number, embedded: readonly FieldWire[]): FieldWire {
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

export function singleWire(number: number, { name, type, omit, pointer }: FieldShape, value: ValueWire): FieldWire {
  const ownTag = toTag(number, value.wireType);
  const omitsEmpty = omit !== 'never' && !pointer && canBeEmpty(type);
  const merges = type.shape === 'object' || type.shape === 'array';
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
      const read = value.read(from, merges ? object[name] : undefined);
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

export function repeatedWire(number: number, name: string, items: ValueWire): FieldWire {
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
      if (tag === ownTag) append(list, items.read(from));
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

/** Each element takes two bytes of JSON at least. An empty one takes no more in protobuf, but much when it is filled in and checked. */
const MAX_ELEMENTS = MAX_OBJECT_BYTES / 2;

function append(list: JsonValue[], element: JsonValue): void {
  if (list.push(element) > MAX_ELEMENTS) {
    throw new StatusError('RequestEntityTooLarge', `The object takes more than the ${MAX_OBJECT_BYTES} bytes that can be stored`);
  }
}

function readPacked(from: MessageReader, items: ValueWire, list: JsonValue[]): void {
  const outer = from.open();
  while (from.hasMore) append(list, items.read(from));
  from.close(outer);
}

/** A list that is a message of its own. */
export function wrappedWire({ items: { shape } }: ArrayShape, items: ValueWire): ValueWire {
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

export function mapWire(number: number, name: string, values: ValueWire): FieldWire {
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
