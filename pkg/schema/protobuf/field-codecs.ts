/**
 * The codecs of message fields. Like Go's generated code: fields other than pointers are always written; map entries
 * are sorted by key bytes and always complete; repeated fields have one tag per element; repeated messages of a
 * singular field are merged.
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray, isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';
import type { ArrayShape, FieldShape } from '../../apis/type-shape.ts';
import { canBeEmpty, isEmpty, MAX_OBJECT_BYTES, objectTooLarge } from '../encode.ts';
import { FieldTable, isMutableList, isMutableMembers, type FieldCodec, type MutableMembers } from './field-table.ts';
import type { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { STRING } from './plain-scalars.ts';
import { unexpectedValue, type ValueCodec } from './value-codec.ts';
import { LENGTH_DELIMITED, VARINT, toTag } from './wire-type.ts';

/** An embedded Go struct: its fields belong to the same object. */
export function embeddedStructCodec(number: number, embedded: readonly FieldCodec[]): FieldCodec {
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

export function singularFieldCodec(number: number, { name, type, omit, pointer }: FieldShape, value: ValueCodec): FieldCodec {
  const ownTag = toTag(number, value.wireType);
  const omitsEmpty = omit !== 'never' && !pointer && canBeEmpty(type);
  const merges = type.shape === 'object' || type.shape === 'array';
  // Go slices, which are nil.
  const isNilWhenAbsent = pointer || type.shape === 'bytes' || type.shape === 'array';
  let absent: Uint8Array | undefined = isNilWhenAbsent ? new Uint8Array() : undefined;
  return {
    number,
    write: (out, object) => {
      const member = object[name];
      if (member === undefined || member === null) {
        // Computed on first use, because types can be recursive.
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

/** The encoded zero value of an absent field other than a pointer. */
function zeroBytes(value: ValueCodec, tag: number): Buffer {
  const out = new MessageWriter();
  value.write(out, value.zero);
  out.varint(tag);
  return out.end();
}

export function repeatedFieldCodec(number: number, name: string, items: ValueCodec): FieldCodec {
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
      const list = isMutableList(before) ? before : [];
      if (before === undefined) object[name] = list;
      if (tag === ownTag) append(list, items.read(from));
      else if (tag === packedTag) readPacked(from, items, list);
      else throw from.wrongWireType(tag, name);
    },
  };
}

function writeElements(out: MessageWriter, list: JsonValue, items: ValueCodec, tag: number): void {
  if (!isArray(list)) throw unexpectedValue('a list', list);
  for (let at = list.length - 1; at >= 0; at--) {
    items.write(out, list[at] ?? items.zero);
    out.varint(tag);
  }
}

/** In JSON each element takes two bytes or more. In protobuf empty elements are small too, but costly to decode. */
const MAX_ELEMENTS = MAX_OBJECT_BYTES / 2;

function append(list: JsonValue[], element: JsonValue): void {
  if (list.push(element) > MAX_ELEMENTS) throw objectTooLarge();
}

function readPacked(from: MessageReader, items: ValueCodec, list: JsonValue[]): void {
  const outer = from.open();
  while (from.hasMore) append(list, items.read(from));
  from.close(outer);
}

/** A list that is a message of its own. */
export function wrappedListCodec({ items: { shape } }: ArrayShape, items: ValueCodec): ValueCodec {
  if (shape === 'array' || shape === 'map') throw new Error(`no message of Kubernetes is a list of ${shape}s`);
  const elements = new FieldTable();
  elements.fill([repeatedFieldCodec(1, 'items', items)]);
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
      const members: MutableMembers = { items: isMutableList(before) ? before : [] };
      elements.read(from, members);
      from.close(outer);
      return members['items'] ?? [];
    },
  };
}

const KEY_TAG = toTag(1, LENGTH_DELIMITED);
const VALUE = 2;
const ENTRY_FIELDS = ['key', 'value'];

export function mapFieldCodec(number: number, name: string, values: ValueCodec): FieldCodec {
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
      const map = isMutableMembers(before) ? before : {};
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
