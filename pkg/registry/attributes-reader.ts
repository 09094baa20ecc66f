/**
 * Reads the selectable attributes from the start of canonical JSON: `uid` and `labels` precede annotations and
 * managedFields. For 2.7 KB this takes 1.1 µs, and JSON.parse 10 µs, which matters for 100,000 objects at start.
 */
import { skipValue, stringEnd } from '../apimachinery/json/skip-value.ts';
import { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import type { ObjectAttributes } from '../watchcache/watch-cache.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;

/** Fields of metadata that follow the labels. */
const AFTER_LABELS = new Set(['annotations', 'ownerReferences', 'finalizers', 'managedFields']);

export function createAttributesReader({
  definition,
  strategy,
}: Pick<Kind, 'definition' | 'strategy'>): (json: Buffer) => ObjectAttributes {
  const { metadataStart } = new ObjectEncoding(definition);
  const selectable = Object.entries(strategy.selectableFields ?? {});
  return (json) => {
    const { uid, labels } = readMetadata(json, metadataStart, definition.kind);
    return { uid, labels, fields: selectable.length === 0 ? undefined : readFields(json, selectable) };
  };
}

function readMetadata(json: Buffer, from: number, kind: string): Pick<ObjectAttributes, 'uid' | 'labels'> {
  let uid = '';
  let labels: Record<string, string> | undefined;
  for (let at = from; json[at] === QUOTE;) {
    const nameEnd = stringEnd(json, at);
    const name = json.toString('latin1', at + 1, nameEnd - 1);
    const valueAt = nameEnd + 1;
    if (AFTER_LABELS.has(name)) return { uid, labels };
    const valueEnd = skipValue(json, valueAt);
    if (name === 'uid') uid = json.toString('latin1', valueAt + 1, valueEnd - 1);
    if (name === 'labels') labels = parseLabels(json.toString('utf8', valueAt, valueEnd), kind);
    if (json[valueEnd] === CLOSE_BRACE) return { uid, labels };
    if (json[valueEnd] !== COMMA) break;
    at = valueEnd + 1;
  }
  throw notAnObject(kind);
}

/** Verifies the types, since another program may have written the value. */
function parseLabels(text: string, kind: string): Record<string, string> {
  const labels: unknown = JSON.parse(text);
  if (!isLabels(labels)) throw notAnObject(kind);
  return labels;
}

const isLabels = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((label) => typeof label === 'string');

function readFields(json: Buffer, selectable: readonly [string, (object: KubernetesObject) => string][]): Record<string, string> {
  // Selectable fields are strings, which JSON.parse reads exactly.
  const object = JSON.parse(json.toString('utf8')) as KubernetesObject;
  const fields: Record<string, string> = {};
  for (const [field, read] of selectable) fields[field] = read(object);
  return fields;
}

const notAnObject = (kind: string) => new Error(`a stored value is not the canonical JSON of a ${kind}`);
