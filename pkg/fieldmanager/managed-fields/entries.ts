/** The list of managedFields in an object, and in a document of it. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';

/** As decoded: a document has them in no other form. */
export type Entries = readonly ManagedFieldsEntry[] | undefined;

export const entriesOf = (object: KubernetesObject | undefined): Entries => object?.metadata.managedFields;

/** `object` with this list; without one when it is `undefined`. */
export function withEntries<T extends JsonObject>(object: T, entries: Entries): T {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  if (metadata['managedFields'] === entries) return object;
  const { managedFields: _, ...others } = metadata;
  return { ...object, metadata: entries === undefined ? others : { ...others, managedFields: entries } };
}
