/** The derived representations of one resource. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { metadataEnd, ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { internalTypeName } from '../../apis/internal-type.ts';
import { isView, renamingOf, storedKind } from '../../apis/kind-view.ts';
import type { Kind } from '../../apis/kind.ts';
import { PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { V1BETA1_METADATA_LIST_FIELDS } from '../../schema/protobuf/list-message.ts';
import { createMessageCodec, type MessageCodec } from '../../schema/protobuf/message-codec.ts';
import type { Output } from '../negotiation/output.ts';
import type { MetaMessages } from './meta-messages.ts';
import { metadataMismatch } from './metadata-mismatch.ts';
import type { ResourceRepresentation } from './resource-representation.ts';
import { createPartialMetadataRepresentation } from './partial-metadata-representation.ts';
import { createProtobufRepresentation } from './protobuf-representation.ts';
import { createTableRepresentation, type IncludeObject } from './table-representation.ts';
import { createViewRepresentation, itemConverterOf } from './view-representation.ts';

export interface ResourceRepresentationsOptions {
  /** The shown kind or view. */
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  /** Parses a stored object. */
  readonly parse: (json: Buffer) => JsonObject;
  /** Codec of the shown objects. */
  readonly message: Pick<MessageCodec, 'encode'>;
  readonly meta: MetaMessages;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface RepresentationRequest {
  readonly as: NonNullable<Output['as']>;
  /** Default: JSON. Not for a Table. */
  readonly inProtobuf?: boolean;
  /** Whether the response is a list or a single object. */
  readonly shows: 'list' | 'object';
  /** The query parameter `includeObject`. */
  readonly includeObject: string | undefined;
}

export interface ResourceRepresentations {
  /** The same instance for the same request. Throws NotAcceptable for an unfit kind, BadRequest for `includeObject`. */
  find(request: RepresentationRequest): ResourceRepresentation;
  /** Whole objects in protobuf. Always the same instance. */
  inProtobuf(): ResourceRepresentation;
  /** Whole objects in JSON. Always the same instance; undefined when the stored JSON is used. */
  inJson(): ResourceRepresentation | undefined;
}

const INCLUDED: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

export function createResourceRepresentations({
  kind,
  parse,
  message,
  meta,
  now,
}: ResourceRepresentationsOptions): ResourceRepresentations {
  const { definition } = kind;
  const stored = storedKind(kind);
  const encoding = new ObjectEncoding(stored.definition);
  const view = isView(kind) ? { toView: renamingOf(kind).toView, toShown: itemConverterOf(kind, parse) } : undefined;
  // At most eleven, or twelve for a view. The watch cache uses their ids as keys.
  const representations = new Map<string, ResourceRepresentation>();
  const once = (name: string, create: (id: string) => ResourceRepresentation): ResourceRepresentation => {
    // A view shares the cache of its kind, so its ids differ.
    const representation = representations.get(name) ?? create(view === undefined ? name : `${definition.apiVersion}.${name}`);
    representations.set(name, representation);
    return representation;
  };
  const readWhole = (itemBytes: Buffer): JsonObject => {
    try {
      return parse(itemBytes);
    } catch {
      return readMetadata(itemBytes, parse);
    }
  };
  const whole = (id: string) => {
    const { apiVersion, listKind } = definition;
    const listType = { apiVersion, kind: listKind };
    const read = view === undefined ? readWhole : (itemBytes: Buffer) => view.toView(readWhole(itemBytes));
    return createProtobufRepresentation({ id, type: definition, listType, message, meta, read, encoding, now });
  };
  const partial = (id: string, apiVersion: string) =>
    createProtobufRepresentation({
      id,
      type: { apiVersion, kind: 'PartialObjectMetadata' },
      listType: { apiVersion, kind: 'PartialObjectMetadataList' },
      ...(apiVersion === `${META_GROUP}/v1beta1` ? { listFields: V1BETA1_METADATA_LIST_FIELDS } : {}),
      message: createMessageCodec(PartialObjectMetadataShape),
      meta,
      read: (itemBytes) => readMetadata(itemBytes, parse),
      encoding,
      now,
    });
  return {
    inProtobuf: () => once('Protobuf', whole),
    inJson: () => view && once('Json', (id) => createViewRepresentation({ definition, toShown: view.toShown, encoding, id, now })),
    find: ({ as, inProtobuf = false, shows, includeObject }) => {
      const apiVersion = `${META_GROUP}/${as.version}`;
      if (as.kind === 'Table') {
        const included = parseIncludeObject(includeObject ?? '');
        const shown = { definition, table: stored.table };
        const create = (id: string) =>
          createTableRepresentation({ kind: shown, encoding, toShown: view?.toShown, apiVersion, includeObject: included, id, now, parse });
        return once(`${as.kind}.${as.version}.${included}`, create);
      }
      if ((as.kind === 'PartialObjectMetadataList') !== (shows === 'list')) {
        throw metadataMismatch(as.kind, internalTypeName(kind, shows === 'list' ? definition.listKind : definition.kind));
      }
      if (inProtobuf) return once(`PartialProtobuf.${as.version}`, (id) => partial(id, apiVersion));
      return once(`PartialObjectMetadata.${as.version}`, (id) => createPartialMetadataRepresentation({ encoding, apiVersion, id, now }));
    },
  };
}

/** The metadata alone; an empty object when it is damaged. */
function readMetadata(itemBytes: Buffer, parse: ResourceRepresentationsOptions['parse']): JsonObject {
  try {
    return parse(Buffer.concat([itemBytes.subarray(0, metadataEnd(itemBytes)), CLOSE_BRACE]));
  } catch {
    return {};
  }
}
const CLOSE_BRACE = Buffer.from('}');

function parseIncludeObject(text: string): IncludeObject {
  const included = text === '' ? 'Metadata' : INCLUDED.find((word) => word === text);
  if (included !== undefined) return included;
  const value = JSON.stringify(text);
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${value}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
