/** The forms of one resource besides the stored one. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { isView, renamingOf, storedKind } from '../../apis/kind-view.ts';
import type { Kind } from '../../apis/kind.ts';
import { PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { SWAPPED_FIELDS } from '../../schema/protobuf/list-message.ts';
import { createMessageCodec, type MessageCodec } from '../../schema/protobuf/message-codec.ts';
import type { Output } from '../negotiation/output.ts';
import { metadataEnd } from './list-form.ts';
import type { MetaMessages } from './meta-messages.ts';
import { notThatKind } from './not-that-kind.ts';
import type { ObjectForm } from './object-form.ts';
import { createPartialMetadataForm } from './partial-metadata-form.ts';
import { createProtobufForm } from './protobuf-form.ts';
import { createTableForm, type IncludeObject } from './table-form.ts';
import { createViewForm, toListFormOf } from './view-form.ts';

export interface ResourceFormsOptions {
  /** What is shown: a kind, or a view of it. */
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  /** Of a stored object's bytes. */
  readonly parse: (json: Buffer) => JsonObject;
  /** Of what is shown. */
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
  /** Whole objects, as JSON. The same one, always; undefined: they are shown as they are stored. */
  inJson(): ObjectForm | undefined;
}

const INCLUDED: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

export function createResourceForms({ kind, parse, message, meta, now }: ResourceFormsOptions): ResourceForms {
  const { definition } = kind;
  const stored = storedKind(kind);
  const head = canonicalHead(stored.definition);
  const view = isView(kind) ? { toView: renamingOf(kind).toView, toShown: toListFormOf(kind, parse) } : undefined;
  // At most eleven, twelve of a view: what the watch cache remembers is remembered under them.
  const forms = new Map<string, ObjectForm>();
  const once = (name: string, create: (id: string) => ObjectForm): ObjectForm => {
    // The objects of a view are remembered beside those of the kind.
    const form = forms.get(name) ?? create(view === undefined ? name : `${definition.apiVersion}.${name}`);
    forms.set(name, form);
    return form;
  };
  const readWhole = (listForm: Buffer): JsonObject => {
    try {
      return parse(listForm);
    } catch {
      return readMetadata(listForm, parse);
    }
  };
  const whole = (id: string) => {
    const { apiVersion, listKind } = definition;
    const listType = { apiVersion, kind: listKind };
    const read = view === undefined ? readWhole : (listForm: Buffer) => view.toView(readWhole(listForm));
    return createProtobufForm({ id, type: definition, listType, message, meta, read, head, now });
  };
  const partial = (id: string, apiVersion: string) =>
    createProtobufForm({
      id,
      type: { apiVersion, kind: 'PartialObjectMetadata' },
      listType: { apiVersion, kind: 'PartialObjectMetadataList' },
      ...(apiVersion === `${META_GROUP}/v1beta1` ? { listFields: SWAPPED_FIELDS } : {}),
      message: createMessageCodec(PartialObjectMetadataShape),
      meta,
      read: (listForm) => readMetadata(listForm, parse),
      head,
      now,
    });
  return {
    inProtobuf: () => once('Protobuf', whole),
    inJson: () => view && once('Json', (id) => createViewForm({ definition, toShown: view.toShown, head, id, now })),
    find: ({ as, inProtobuf = false, shows, includeObject }) => {
      const apiVersion = `${META_GROUP}/${as.version}`;
      if (as.kind === 'Table') {
        const included = parseIncludeObject(includeObject ?? '');
        const shown = { definition, table: stored.table };
        const create = (id: string) =>
          createTableForm({ kind: shown, head, toShown: view?.toShown, apiVersion, includeObject: included, id, now, parse });
        return once(`${as.kind}.${as.version}.${included}`, create);
      }
      if ((as.kind === 'PartialObjectMetadataList') !== (shows === 'list')) {
        throw notThatKind(as.kind, { group: definition.group, kind: shows === 'list' ? definition.listKind : definition.kind });
      }
      if (inProtobuf) return once(`PartialProtobuf.${as.version}`, (id) => partial(id, apiVersion));
      return once(`PartialObjectMetadata.${as.version}`, (id) => createPartialMetadataForm({ head, apiVersion, id, now }));
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
