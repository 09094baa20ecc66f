/** Objects as Events contain them: JSON on one line. */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { parseJson } from '../apimachinery/json/parse-json.ts';
import { isArray, isJsonObject, writeJson } from '../apimachinery/json/write-json.ts';
import type { RequestAudit } from './request-audit.ts';

/** `parts`: compact JSON of an object, a list or a table. */
export function objectText(parts: readonly Uint8Array[], { omitManagedFields }: Pick<RequestAudit, 'omitManagedFields'>): string {
  const bytes = Buffer.concat(parts);
  return omitManagedFields ? withoutManagedFields(bytes) : bytes.toString().trimEnd();
}

function withoutManagedFields(json: Uint8Array): string {
  const { value } = parseJson(json, undefined, 'tokens');
  return writeJson(isJsonObject(value) ? ofDocument(value) : value);
}
function ofDocument(document: JsonObject): JsonObject {
  const { items, rows } = document;
  return {
    ...ofObject(document),
    ...(isArray(items) ? { items: items.map(ofElement) } : {}),
    ...(isArray(rows) ? { rows: rows.map(ofRow) } : {}),
  };
}

const ofElement = (value: JsonValue): JsonValue => (isJsonObject(value) ? ofObject(value) : value);

function ofRow(row: JsonValue): JsonValue {
  if (!isJsonObject(row) || row['object'] === undefined) return row;
  return { ...row, object: ofElement(row['object']) };
}

function ofObject(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (metadata === undefined || !isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  return { ...object, metadata: { ...metadata, managedFields: undefined } };
}
