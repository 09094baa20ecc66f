/**
 * Tracks which manager owns which field of an object. Every write goes through a field manager, which compares the
 * object before and after and records the fields that each manager set in `metadata.managedFields`. Server-side apply
 * uses these to detect conflicts and to prune fields. See KEP-555 and `docs/field-management.md`.
 *
 * Independent of HTTP and storage. Pure: arguments are never modified, and the caches inside affect only speed.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { badRequest } from '../apimachinery/status/status-error.ts';
import { toRfc3339Seconds } from '../apimachinery/time/rfc3339.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { decodeStoredManagedFields, managedFieldsBeforeWrite } from './managed-fields/decode-managed-fields.ts';
import { encodeManagedFields } from './managed-fields/encode-managed-fields.ts';
import { entriesOf, withEntries } from './managed-fields/entries.ts';
import { createCachedFieldSetReader } from './managed-fields/cached-field-set-reader.ts';
import { NO_MANAGED_FIELDS } from './managed-fields/field-owner.ts';
import { assertConfiguration } from './ownership/assert-configuration.ts';
import { InitialManagedFields } from './ownership/initial-managed-fields.ts';
import { recordUpdate, type WriterInfo } from './ownership/record-update.ts';
import { serverSideApply } from './ownership/server-side-apply.ts';
import { writeScopes, type ManagedKind, type WriteScope } from './ownership/write-scope.ts';
import { type DocumentChange, toDocumentChange } from './typed/document-change.ts';
import { createDocumentConverter, toDocument } from './typed/document.ts';
import { createUnidentifiedItemFinder } from './typed/unidentified-items.ts';

/** The manager of a write, its subresource and its time. */
export interface FieldWriter {
  /** The `fieldManager` of the request, or a name derived from the user agent. */
  readonly manager: string;
  /** The written subresource, such as `status`. Empty: the main path. */
  readonly subresource: string;
  /** Milliseconds since the epoch; managedFields entries are truncated to whole seconds. */
  readonly nowMs: number;
}

export interface Applier extends FieldWriter {
  /** Takes conflicting fields from their owners. */
  readonly force: boolean;
}

export interface FieldManager {
  /**
   * For all writes except apply. Returns `next` with `metadata.managedFields`, which are absent if no field is owned.
   * `live` is the stored object, `undefined` on create. Both are decoded objects, not documents. Invalid managedFields
   * count as absent. As in Kubernetes, an object with a list item that nothing identifies loses them.
   */
  update(live: KubernetesObject | undefined, next: KubernetesObject, writer: FieldWriter): KubernetesObject;
  /**
   * Server-side apply. Returns the resulting document with managedFields. `live` is the stored object, if any; `config`
   * is the parsed request body. Throws StatusError: Conflict with one cause per field, or BadRequest for an invalid
   * configuration, or a stored list item that nothing identifies.
   */
  apply(live: KubernetesObject | undefined, config: JsonObject, applier: Applier): JsonObject;
}

/** Fields that a write cannot change, according to `strategy.status` of the kind, are never owned by its manager. */
export function createFieldManager(kind: ManagedKind): FieldManager {
  const { shape, definition } = kind;
  const scopes = writeScopes(kind);
  const readFieldSet = createCachedFieldSetReader();
  /** The state before creation. */
  const emptyDocument = toDocument(shape, { kind: definition.kind, apiVersion: definition.apiVersion, metadata: {} });
  const initialManagedFields = new InitialManagedFields(scopes.create, emptyDocument);
  const convert = createDocumentConverter(shape);
  const findUnidentified = createUnidentifiedItemFinder(shape);
  const documentOf = (object: KubernetesObject): JsonObject => convert(withEntries(object, undefined));
  const changeOf = (live: KubernetesObject, next: KubernetesObject): DocumentChange =>
    toDocumentChange(shape, withEntries(live, undefined), withEntries(next, undefined));
  const scopeOf = (live: KubernetesObject | undefined, { subresource }: FieldWriter): WriteScope => {
    if (subresource !== '') return scopes.subresource(subresource);
    return live === undefined ? scopes.create : scopes.update;
  };

  return {
    update(live, next, writer) {
      if (findUnidentified(next) !== undefined || (live !== undefined && findUnidentified(live) !== undefined))
        return withEntries(next, undefined);
      const stored = entriesOf(live);
      const start = managedFieldsBeforeWrite(stored, entriesOf(next), writer.subresource, readFieldSet);
      // An object without managedFields is not tracked until its first apply.
      if (live !== undefined && start.size === 0) return withEntries(next, undefined);
      if (live === undefined && start.size === 0)
        return withEntries(next, encodeManagedFields(initialManagedFields.create(infoOf(writer), next)));
      const change = live === undefined ? { before: emptyDocument, after: documentOf(next) } : changeOf(live, next);
      return withEntries(next, encodeManagedFields(recordUpdate(scopeOf(live, writer), change, start, infoOf(writer))));
    },

    apply(live, config, applier) {
      assertConfiguration(kind, config);
      const problem = live === undefined ? undefined : findUnidentified(live);
      if (problem !== undefined)
        throw badRequest(`failed to create typed live object (${definition.apiVersion}, Kind=${definition.kind}): ${problem}`);
      const scope = scopeOf(live, applier);
      const document = live === undefined ? emptyDocument : documentOf(live);
      const info = { ...infoOf(applier), force: applier.force };
      const stored = decodeStoredManagedFields(entriesOf(live), readFieldSet) ?? NO_MANAGED_FIELDS;
      const applied = serverSideApply(scope, { emptyDocument, live: document, config }, stored, info);
      return withEntries(applied.document, encodeManagedFields(applied.owners));
    },
  };
}

/** Used for a request with neither a field manager nor a user agent. */
const UNKNOWN_MANAGER = 'unknown';

const infoOf = ({ manager, subresource, nowMs }: FieldWriter): WriterInfo => ({
  manager: manager === '' ? UNKNOWN_MANAGER : manager,
  subresource,
  time: toRfc3339Seconds(nowMs),
});
