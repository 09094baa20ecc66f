/** The forms of one resource besides the stored one. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { badRequest, StatusError } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import type { Kind, ResourceDefinition } from '../../apis/kind.ts';
import type { Output } from '../negotiation/output.ts';
import type { ObjectForm } from './object-form.ts';
import { createPartialMetadataForm } from './partial-metadata-form.ts';
import { createTableForm, type IncludeObject } from './table-form.ts';

export interface ResourceFormsOptions {
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  readonly parse: (json: Buffer) => JsonObject;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface FormRequest {
  readonly as: NonNullable<Output['as']>;
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
}

const INCLUDED: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

export function createResourceForms({ kind, parse, now }: ResourceFormsOptions): ResourceForms {
  const { definition } = kind;
  // At most eight: what the watch cache remembers is remembered under them.
  const forms = new Map<string, ObjectForm>();
  const once = (id: string, create: () => ObjectForm): ObjectForm => {
    const form = forms.get(id) ?? create();
    forms.set(id, form);
    return form;
  };
  return {
    find: ({ as, shows, includeObject }) => {
      const apiVersion = `${META_GROUP}/${as.version}`;
      if (as.kind === 'Table') {
        const included = parseIncludeObject(includeObject ?? '');
        const id = `${as.kind}.${as.version}.${included}`;
        return once(id, () => createTableForm({ kind, apiVersion, includeObject: included, id, now, parse }));
      }
      if ((as.kind === 'PartialObjectMetadataList') !== (shows === 'list')) throw notThatKind(as.kind, definition);
      const id = `PartialObjectMetadata.${as.version}`;
      return once(id, () => createPartialMetadataForm({ definition, apiVersion, id, now }));
    },
  };
}

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
