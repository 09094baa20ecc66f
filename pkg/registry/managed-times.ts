/** A write that only moves times of managedFields is none. */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import type { KubernetesObject } from '../apis/kind.ts';
import { withMetadata } from './object-meta.ts';

/** `object` with the times of the stored managedFields. Undefined when the two lists differ in more than times, or in nothing. */
export function withStoredTimes(object: KubernetesObject, stored: KubernetesObject): KubernetesObject | undefined {
  const [now, before] = [object.metadata.managedFields ?? [], stored.metadata.managedFields ?? []];
  if (now.length !== before.length || !now.every((entry, index) => sameOwner(entry, before[index]))) return undefined;
  if (now.every((entry, index) => entry['time'] === before[index]?.['time'])) return undefined;
  return withMetadata(object, { managedFields: before });
}

function sameOwner(entry: JsonObject, stored: JsonObject = {}): boolean {
  const names = new Set([...Object.keys(entry), ...Object.keys(stored)]);
  names.delete('time');
  return [...names].every((name) => sameValue(entry[name], stored[name]));
}

const sameValue = (value: JsonValue | undefined, stored: JsonValue | undefined): boolean =>
  value === stored || (value instanceof RawJson && stored instanceof RawJson && value.equals(stored));
