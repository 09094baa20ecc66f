/**
 * Who owns which field of an object. Every write goes through a field manager, which compares the object before and after, and keeps in
 * `metadata.managedFields` what each writer set last; server-side apply is decided by these books. KEP-555; `docs/field-management.md`
 * explains the whole. Free of HTTP and storage, without state, and pure: nothing that is given is written into.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';

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
export function createFieldManager(kind: Kind): FieldManager {
  return {
    update: (_live, next) => next,
    apply: () => {
      throw new StatusError('InternalError', `Apply of ${kind.definition.kind} is not there yet`);
    },
  };
}
