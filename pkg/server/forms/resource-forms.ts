/** The forms of one resource besides the stored one. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import type { Kind, ResourceDefinition } from '../../apis/kind.ts';
import { PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createMessageCodec, type MessageCodec } from '../../schema/protobuf/message-codec.ts';
import type { Output } from '../negotiation/output.ts';
import { metadataEnd } from './list-form.ts';
import type { MetaMessages } from './meta-messages.ts';
import type { ObjectForm } from './object-form.ts';
import { createPartialMetadataForm } from './partial-metadata-form.ts';
import { createProtobufForm } from './protobuf-form.ts';
import { createTableForm, type IncludeObject } from './table-form.ts';

export interface ResourceFormsOptions {
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  readonly parse: (json: Buffer) => JsonObject;
  readonly message: Pick<MessageCodec, 'encode'>;
  readonly meta: MetaMessages;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface FormRequest {
  readonly as: NonNullable<Output['as']>;
  /** Default: JSON. A Table has no other form. */
  readonly inProtobuf?: boolean;
  /** What the answer shows: a list, or single objects. */
  readonly shows: 'list' | 'object';
  /** The query's `includeObject`, as sent. */
  readonly includeObject: string | undefined;
}

export interface ResourceForms {
  /**
   * The same one for the same request, always. Throws StatusError NotAcceptable for a kind that does not fit what is shown, BadRequest for an
   * `includeObject` that a table does not know.
   */
  find(request: FormRequest): ObjectForm;
  /** Whole objects, in protobuf. The same one, always. */
  inProtobuf(): ObjectForm;
}

const INCLUDED: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

export function createResourceForms({ kind, parse, message, meta, now }: ResourceFormsOptions): ResourceForms {
  const { definition } = kind;
  const head = canonicalHead(definition);
  // At most eleven: what the watch cache remembers is remembered under them.
  const forms = new Map<string, ObjectForm>();
  const once = (id: string, create: () => ObjectForm): ObjectForm => {
    const form = forms.get(id) ?? create();
    forms.set(id, form);
    return form;
  };
  const readWhole = (listForm: Buffer): JsonObject => {
    try {
      return parse(listForm);
    } catch {
      return readMetadata(listForm, parse);
    }
  };
  const whole = () => {
    const { apiVersion, listKind } = definition;
    const listType = { apiVersion, kind: listKind };
    return createProtobufForm({ id: 'Protobuf', type: definition, listType, message, meta, read: readWhole, head, now });
  };
  const partial = (id: string, apiVersion: string) =>
    createProtobufForm({
      id,
      type: { apiVersion, kind: 'PartialObjectMetadata' },
      listType: { apiVersion, kind: 'PartialObjectMetadataList' },
      message: createMessageCodec(PartialObjectMetadataShape),
      meta,
      read: (listForm) => readMetadata(listForm, parse),
      head,
      now,
    });
  return {
    inProtobuf: () => once('Protobuf', whole),
    find: ({ as, inProtobuf = false, shows, includeObject }) => {
      const apiVersion = `${META_GROUP}/${as.version}`;
      if (as.kind === 'Table') {
        const included = parseIncludeObject(includeObject ?? '');
        const id = `${as.kind}.${as.version}.${included}`;
        return once(id, () => createTableForm({ kind, apiVersion, includeObject: included, id, now, parse }));
      }
      if ((as.kind === 'PartialObjectMetadataList') !== (shows === 'list')) throw notThatKind(as.kind, definition);
      if (inProtobuf) return once(`PartialProtobuf.${as.version}`, () => partial(`PartialProtobuf.${as.version}`, apiVersion));
      const id = `PartialObjectMetadata.${as.version}`;
      return once(id, () => createPartialMetadataForm({ definition, apiVersion, id, now }));
    },
  };
}

/** The metadata alone; nothing, when it is damaged. */
function readMetadata(listForm: Buffer, parse: ResourceFormsOptions['parse']): JsonObject {
  try {
    return parse(Buffer.concat([listForm.subarray(0, metadataEnd(listForm)), CLOSE_BRACE]));
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

function notThatKind(
  asked: 'PartialObjectMetadata' | 'PartialObjectMetadataList',
  { group, kind, listKind }: ResourceDefinition,
): StatusError {
  const [packageName = ''] = group.split('.', 1);
  const what = asked === 'PartialObjectMetadata' ? `a list (*${packageName}.${listKind})` : `not a list (*${packageName}.${kind})`;
  return new StatusError('NotAcceptable', `you requested ${asked}, but the requested object is ${what}`);
}
