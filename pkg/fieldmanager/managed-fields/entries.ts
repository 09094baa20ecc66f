/** Access to `metadata.managedFields` of an object or document. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';

/** Decoded entries. Documents contain them in this form too. */
export type ManagedFieldsEntries = readonly ManagedFieldsEntry[] | undefined;

export const entriesOf = (object: KubernetesObject | undefined): ManagedFieldsEntries => object?.metadata.managedFields;

/** `object` with these entries; without managedFields if `undefined`. */
export function withEntries<T extends JsonObject>(object: T, entries: ManagedFieldsEntries): T {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  if (metadata['managedFields'] === entries) return object;
  const { managedFields: _, ...others } = metadata;
  return { ...object, metadata: entries === undefined ? others : { ...others, managedFields: entries } };
}
