/** Field encoders of `openapi.v2` messages, which write backwards as `MessageWriter` does. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { MessageWriter } from '../../schema/protobuf/message-writer.ts';
import { LENGTH_DELIMITED, toTag, VARINT } from '../../schema/protobuf/wire-type.ts';

/** Writes the content of a length-delimited value. */
export type WriteField = (out: MessageWriter, value: JsonValue) => void;

/** Writes the value with its tag. */
export interface MessageField {
  readonly number: number;
  readonly write: WriteField;
}

export function delimited(number: number, inside: WriteField): MessageField {
  const tag = toTag(number, LENGTH_DELIMITED);
  return {
    number,
    write: (out, value) => {
      const { size } = out;
      inside(out, value);
      out.varint(out.size - size);
      out.varint(tag);
    },
  };
}

export const content: WriteField = (out, value) => {
  if (typeof value !== 'string') throw new Error(`not a text: ${JSON.stringify(value)}`);
  out.text(value);
};

export const text = (number: number): MessageField => delimited(number, content);

export function each(number: number, inside: WriteField): MessageField {
  const element = delimited(number, inside);
  return {
    number,
    write: (out, value) => {
      if (!isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
      for (const one of value.toReversed()) element.write(out, one);
    },
  };
}

export const texts = (number: number): MessageField => each(number, content);

export const flag = (number: number): MessageField => ({
  number,
  write: (out, value) => {
    if (typeof value !== 'boolean') throw new Error(`not a boolean: ${JSON.stringify(value)}`);
    if (!value) return;
    out.byte(1);
    out.varint(toTag(number, VARINT));
  },
});

/** Any value, as YAML; JSON is YAML. */
export const any: WriteField = (out, value) => YAML.write(out, JSON.stringify(value));
const YAML = text(2);

const NAME = text(1);

/** A map: one entry with a name per member. */
export function named(number: number, inside: WriteField): MessageField {
  const member = delimited(2, inside);
  const tag = toTag(number, LENGTH_DELIMITED);
  return {
    number,
    write: (out, value) => {
      if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
      for (const [name, one] of Object.entries(value).reverse()) {
        if (one === undefined) continue;
        const { size } = out;
        member.write(out, one);
        NAME.write(out, name);
        out.varint(out.size - size);
        out.varint(tag);
      }
    },
  };
}

/** `fields` by member name; members with the prefix `x-` go to the field `extensions`. Throws for others. */
export function message(fields: Readonly<Record<string, MessageField>>, extensions: number): WriteField {
  const known = new Map(Object.entries(fields));
  const extension = named(extensions, any);
  const inOrder = [...known].sort(([, a], [, b]) => b.number - a.number);
  return (out, value) => {
    if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
    const extended = Object.entries(value).filter(([name]) => !known.has(name));
    const unknown = extended.find(([name]) => !name.startsWith('x-'));
    if (unknown !== undefined) throw new Error(`the message has no field ${unknown[0]}`);
    extension.write(out, Object.fromEntries(extended));
    for (const [name, field] of inOrder) {
      const member = value[name];
      if (member !== undefined) field.write(out, member);
    }
  };
}
