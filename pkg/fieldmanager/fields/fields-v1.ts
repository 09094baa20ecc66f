/**
 * `fieldsV1`, the form in which sets of fields are stored and shown: a tree of JSON objects whose names are path elements. `{}` behind a name makes
 * it a member; a member that has more below it says so with `"."`.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { decodeRaw } from '../../apimachinery/json/parse-json.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { FieldSetBuilder, type FieldSet } from './field-set.ts';
import { type PathElement, parsePathElement } from './path-element.ts';
import { sortedElements } from './path-order.ts';
import { quotedForHtml } from './quoted.ts';

/** `undefined` when it cannot be read. Names of a type that is not known are passed over, with all that is below them. */
export function parseFieldsV1(json: RawJson | JsonObject): FieldSet | undefined {
  const builder = new FieldSetBuilder();
  const value = json instanceof RawJson ? decodeRaw(json) : json;
  return read(value, builder) === undefined ? undefined : builder.build();
}

/** Whether the value makes its own element a member; `undefined` when it cannot be read. */
function read(value: JsonValue, builder: FieldSetBuilder): boolean | undefined {
  if (value === null) return true;
  if (!isJsonObject(value)) return undefined;
  let isMember = false;
  let isLeaf = true;
  for (const name of Object.keys(value)) {
    if (name === '.') {
      isMember = true;
      continue;
    }
    const element = parsePathElement(name);
    if (element === undefined) return undefined;
    if (element === 'unknown') continue;
    isLeaf = false;
    const ends = read(value[name] ?? null, builder.at(element));
    if (ends === undefined) return undefined;
    if (ends) builder.add(element);
  }
  return isMember || isLeaf;
}

/** The canonical form: the same set always gives the same bytes. */
export const writeFieldsV1 = (set: FieldSet): RawJson => new RawJson(Buffer.from(`{${membersText(set)}}`, 'utf8'));

function membersText(set: FieldSet): string {
  const elements = new Set<PathElement>(set.members);
  for (const element of set.children.keys()) elements.add(element);
  return sortedElements(elements)
    .map((element) => `${quotedForHtml(element)}:{${belowText(set.members.has(element), set.children.get(element))}}`)
    .join(',');
}

function belowText(isMember: boolean, child: FieldSet | undefined): string {
  if (child === undefined) return '';
  return isMember ? `".":{},${membersText(child)}` : membersText(child);
}
