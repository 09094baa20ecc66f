/**
 * Who owns which field of an object. Every write goes through a field manager, which compares the object before and after, and keeps in
 * `metadata.managedFields` what each writer set last; server-side apply is decided by these books. KEP-555; `docs/field-management.md`
 * explains the whole. Free of HTTP and storage, and pure: nothing that is given is written into, and what is remembered shows only in time.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { toRfc3339Seconds } from '../apimachinery/time/rfc3339.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { decodeStoredManagedFields, managedFieldsToStartFrom } from './managed-fields/decode-managed-fields.ts';
import { encodeManagedFields } from './managed-fields/encode-managed-fields.ts';
import { entriesOf, withEntries } from './managed-fields/entries.ts';
import { createFieldSetReader } from './managed-fields/field-set-reader.ts';
import { NO_MANAGED_FIELDS } from './managed-fields/field-owner.ts';
import { assertConfiguration } from './ownership/assert-configuration.ts';
import { NewFields } from './ownership/new-fields.ts';
import { recordUpdate, type WriterFacts } from './ownership/record-update.ts';
import { serverSideApply } from './ownership/server-side-apply.ts';
import { trackedPaths, type TrackedKind, type TrackedPath } from './ownership/tracked-path.ts';
import { type Change, toChange } from './typed/change.ts';
import { createDocumentOf, toDocument } from './typed/document.ts';

/** Who writes, on which path, and when. */
export interface Writer {
  /** The `fieldManager` of the request, or what the user agent makes of it. */
  readonly manager: string;
  /** `status` for a write to `/status`. */
  readonly subresource: '' | 'status';
  /** Milliseconds since the epoch; entries carry whole seconds. */
  readonly nowMs: number;
}

export interface Applier extends Writer {
  /** Takes fields from their owners where values differ. */
  readonly force: boolean;
}

export interface FieldManager {
  /**
   * For every write but an apply: `next` with `metadata.managedFields` set, or absent where nobody owns anything. `live`: the object as it is
   * stored, `undefined` on a create. Both are decoded objects, not documents. Never throws for what a client sent: managedFields that
   * cannot be decoded count as absent.
   */
  update(live: KubernetesObject | undefined, next: KubernetesObject, writer: Writer): KubernetesObject;
  /**
   * Server-side apply: the document that comes out of it, managedFields included. `live`: the object as it is stored, `undefined` when it does
   * not exist; `config`: the body as it was parsed. Throws a StatusError: Conflict with one cause per field, BadRequest for what is no
   * configuration of this kind.
   */
  apply(live: KubernetesObject | undefined, config: JsonObject, applier: Applier): JsonObject;
}

/** What a write to a path cannot change is nobody's there: the kind's `strategy.status` says what that is. */
export function createFieldManager(kind: TrackedKind): FieldManager {
  const { shape, definition } = kind;
  const paths = trackedPaths(kind);
  const readFieldSet = createFieldSetReader();
  /** An object before it is created. */
  const nothing = toDocument(shape, { kind: definition.kind, apiVersion: definition.apiVersion, metadata: {} });
  const newFields = new NewFields(paths.create, nothing);
  const documentWith = createDocumentOf(shape);
  const documentOf = (object: KubernetesObject): JsonObject => documentWith(withEntries(object, undefined));
  const changeOf = (live: KubernetesObject, next: KubernetesObject): Change =>
    toChange(shape, withEntries(live, undefined), withEntries(next, undefined));
  const pathOf = (live: KubernetesObject | undefined, { subresource }: Writer): TrackedPath => {
    if (subresource === 'status') return paths.status;
    return live === undefined ? paths.create : paths.update;
  };

  return {
    update(live, next, writer) {
      const stored = entriesOf(live);
      const start = managedFieldsToStartFrom(stored, entriesOf(next), writer.subresource, readFieldSet);
      // An object that nobody's fields are known of is not tracked before somebody applies it.
      if (live !== undefined && start.size === 0) return withEntries(next, undefined);
      if (live === undefined && start.size === 0) return withEntries(next, encodeManagedFields(newFields.ownedBy(factsOf(writer), next)));
      const change = live === undefined ? { before: nothing, after: documentOf(next) } : changeOf(live, next);
      return withEntries(next, encodeManagedFields(recordUpdate(pathOf(live, writer), change, start, factsOf(writer))));
    },

    apply(live, config, applier) {
      assertConfiguration(kind, config);
      const path = pathOf(live, applier);
      const document = live === undefined ? nothing : documentOf(live);
      const facts = { ...factsOf(applier), force: applier.force };
      const stored = decodeStoredManagedFields(entriesOf(live), readFieldSet) ?? NO_MANAGED_FIELDS;
      const applied = serverSideApply(path, { nothing, live: document, config }, stored, facts);
      return withEntries(applied.document, encodeManagedFields(applied.owners));
    },
  };
}

/** A request without a name for its manager, such as one without a user agent. */
const UNKNOWN_MANAGER = 'unknown';

const factsOf = ({ manager, subresource, nowMs }: Writer): WriterFacts => ({
  manager: manager === '' ? UNKNOWN_MANAGER : manager,
  subresource,
  time: toRfc3339Seconds(nowMs),
});
