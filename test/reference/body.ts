/** The bytes of a planned body, and what bytes of an answer say. */
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { jsonToYaml } from '../../pkg/apimachinery/yaml/json-to-yaml.ts';
import { yamlToJson } from '../../pkg/apimachinery/yaml/yaml-to-json.ts';
import {
  DeleteOptionsShape,
  PartialObjectMetadataListShape,
  PartialObjectMetadataShape,
  StatusShape,
} from '../../pkg/apis/meta/v1/shapes.gen.ts';
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { parseEnvelope, writeEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { isObject, memberOf, parseTree, toText, type Tree } from './tree.ts';

export type Encoding = 'json' | 'yaml' | 'protobuf';

/** Its texts may have placeholders. */
export interface PlannedBody {
  readonly tree: Tree;
  readonly encoding: Encoding;
}

type Fill = (text: string) => string;

export interface BodyFormat {
  /** With the bytes of a server whose values `fill` puts in. */
  write(body: PlannedBody, fill: Fill): Buffer;
  /** There is a protobuf message of it. */
  hasMessage(tree: Tree): boolean;
  /** A text that is no JSON, YAML or protobuf is told as a text. */
  read(bytes: Buffer, contentType: string): Tree;
}

/** For the bodies of requests for objects with this shape. */
export function createBodyFormat(shape: ObjectShape): BodyFormat {
  const shapes = [shape, listOf(shape), DeleteOptionsShape, PartialObjectMetadataShape, PartialObjectMetadataListShape, StatusShape];
  const codecs = new Map(shapes.map((each) => [kindOf(each), { json: createObjectCodec(each), message: createMessageCodec(each) }]));
  const own = kindOf(shape);
  const codecOf = (kind: unknown) => codecs.get(typeof kind === 'string' ? kind : own) ?? codecs.get(own);

  const toMessage = (tree: Tree, fill: Fill): Buffer => {
    const kind = memberOf(tree, 'kind');
    const codec = codecOf(kind);
    if (codec === undefined) throw new Error('no message');
    const { object } = codec.json.decodeBody(Buffer.from(fill(toText(tree))));
    const type = { kind: textOf(kind), apiVersion: textOf(memberOf(tree, 'apiVersion')) };
    return writeEnvelope(type, codec.message.encode(object));
  };
  return {
    write: ({ tree, encoding }, fill) => {
      if (encoding === 'protobuf') return toMessage(tree, fill);
      const json = Buffer.from(fill(toText(tree)));
      return encoding === 'yaml' ? Buffer.from(jsonToYaml(json)) : json;
    },
    hasMessage: (tree) => {
      try {
        return isObject(tree) && toMessage(tree, (text) => text).byteLength > 0;
      } catch {
        return false;
      }
    },
    read: (bytes, contentType) => {
      if (contentType.startsWith('application/vnd.kubernetes.protobuf')) {
        const { kind, apiVersion, raw } = parseEnvelope(bytes);
        const message: JsonObject = { kind, apiVersion, ...codecOf(kind)?.message.decode(raw) };
        return parseTree(writeJson(message));
      }
      const text = bytes.toString('utf8');
      try {
        return parseTree(contentType.startsWith('application/yaml') ? yamlToJson(text) : text);
      } catch {
        return text;
      }
    },
  };
}

const kindOf = ({ name }: ObjectShape): string => name.slice(name.lastIndexOf('.') + 1);
const textOf = (value: Tree | undefined): string => (typeof value === 'string' ? value : '');

const listOf = (shape: ObjectShape): ObjectShape => ({
  ...PartialObjectMetadataListShape,
  name: `${shape.name}List`,
  fields: PartialObjectMetadataListShape.fields.map((field) =>
    field.name === 'items' ? { ...field, type: { shape: 'array', items: shape } } : field,
  ),
});
