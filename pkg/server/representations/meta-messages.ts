/** Protobuf encoding of a Status and of discovery documents. */
import type { Status } from '../../apimachinery/status/status-error.ts';
import { APIGroupListShape, APIGroupShape, APIResourceListShape, APIVersionsShape, StatusShape } from '../../apis/meta/v1/shapes.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { writeEnvelope } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';

export interface MetaMessages {
  /** Encodes a document of this server in its envelope; undefined when it has no protobuf message. */
  fromJson(json: Buffer): Buffer | undefined;
  toStatus(status: Status): Buffer;
}

const SHAPES: Readonly<Record<string, ObjectShape>> = {
  Status: StatusShape,
  APIVersions: APIVersionsShape,
  APIGroupList: APIGroupListShape,
  APIGroup: APIGroupShape,
  APIResourceList: APIResourceListShape,
};
const API_VERSION = 'v1';

export function createMetaMessages(): MetaMessages {
  const codecs = new Map(
    Object.entries(SHAPES).map(([kind, shape]) => [
      kind,
      { json: createObjectCodec(shape, { keepsEmptyLists: true }), message: createMessageCodec(shape) },
    ]),
  );
  const seal = (kind: string, json: Buffer): Buffer | undefined => {
    const codec = codecs.get(kind);
    return codec && writeEnvelope({ kind, apiVersion: API_VERSION }, codec.message.encode(codec.json.parseStored(json)));
  };
  return {
    fromJson: (json) => {
      const { kind, apiVersion } = JSON.parse(json.toString()) as { readonly kind?: unknown; readonly apiVersion?: unknown };
      return typeof kind === 'string' && apiVersion === API_VERSION ? seal(kind, json) : undefined;
    },
    toStatus: (status) => {
      const sealed = seal('Status', Buffer.from(JSON.stringify(status)));
      if (sealed === undefined) throw new Error('a Status has a message');
      return sealed;
    },
  };
}
