/**
 * Computes the managedFields of a created object. Equals `recordUpdate` from an empty document, but writes `fieldsV1`
 * in one traversal, which saves a tenth of the CPU time of a create and a third of its garbage.
 */
import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { compareByBytes, isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { cacheRecent } from '../../apimachinery/recent/cache-recent.ts';
import type { FieldShape, ListKey, ListMerge, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { quotedElement } from '../fieldpath/fields-v1.ts';
import { type PathElement, fieldElement } from '../fieldpath/path-element.ts';
import { sortedElements } from '../fieldpath/path-order.ts';
import { FieldOwner, type ManagedFields, NO_MANAGED_FIELDS, managerIdentifier } from '../managed-fields/field-owner.ts';
import { STRIPPED_FIELDS } from '../managed-fields/strip-meta.ts';
import { fieldDocumentValue, toDocumentValue } from '../typed/document.ts';
import { isGranular } from '../typed/granularity.ts';
import { listPathElement } from '../typed/list-path-element.ts';
import { isNullOrEmpty, membersOrEmpty } from '../typed/members.ts';
import type { WriterInfo } from './record-update.ts';
import type { WriteScope } from './write-scope.ts';

/** A field of a struct, in the order of `fieldsV1`. */
interface OrderedField {
  readonly field: FieldShape;
  /** `"f:name":{` */
  readonly opening: string;
  readonly granular: boolean;
  /** The owned fields of a struct in which some cannot be owned. */
  readonly struct: readonly OrderedField[] | undefined;
  /** For structs at the top level: `fieldsV1` of the last few values. */
  readonly cachedText?: (value: JsonObject) => string;
}

export class InitialManagedFields {
  readonly #apiVersion: string;
  readonly #emptyDocument: JsonObject;
  readonly #top: readonly OrderedField[];
  /** Filled lazily, because shapes can be recursive. */
  readonly #ordered = new Map<ObjectShape, readonly OrderedField[]>();

  /** `emptyDocument`: the document of an object without values; its lists and maps are empty. */
  constructor({ shape, apiVersion, resetFields }: WriteScope, emptyDocument: JsonObject) {
    this.#apiVersion = apiVersion;
    this.#emptyDocument = emptyDocument;
    this.#top = this.#order(shape, STRIPPED_FIELDS.union(resetFields)).map((ordered) => {
      const { field, granular, struct } = ordered;
      const { name, type } = field;
      if (type.shape !== 'object' || !granular || struct !== undefined) return ordered;
      const before = membersOrEmpty(emptyDocument[name]);
      return { ...ordered, cachedText: cacheRecent((value: JsonObject) => this.#structText(this.#cachedOrder(type), before, value)) };
    });
  }

  /** `object` is decoded; its managedFields are ignored. */
  create(writer: WriterInfo, object: JsonObject): ManagedFields {
    const text = this.#structText(this.#top, this.#emptyDocument, object);
    if (text === '') return NO_MANAGED_FIELDS;
    const info = { ...writer, operation: 'Update', apiVersion: this.#apiVersion } as const;
    return new Map([[managerIdentifier(info), new FieldOwner(info, new RawJson(Buffer.from(`{${text}}`, 'utf8')))]]);
  }

  #structText(fields: readonly OrderedField[], before: JsonObject, object: JsonObject): string {
    let text = '';
    for (const ordered of fields) {
      const { field, opening } = ordered;
      const value = fieldDocumentValue(field, object[field.name]);
      if (value === undefined) continue;
      const below = this.#fieldText(ordered, before[field.name], value);
      if (below === undefined) continue;
      if (text !== '') text += ',';
      text += `${opening}${below}}`;
    }
    return text;
  }

  /** The text inside the braces of the field; `undefined` if it is unchanged. */
  #fieldText(ordered: OrderedField, before: JsonValue | undefined, value: JsonValue): string | undefined {
    if (value === before) return undefined;
    const { field, granular } = ordered;
    if (before === undefined) return granular ? withSelf(this.#valueText(ordered, NO_MEMBERS, value)) : '';
    if (!granular || (isNullOrEmpty(before) && isNullOrEmpty(value)))
      return equalJson(before, toDocumentValue(field.type, value)) ? undefined : '';
    const below = this.#valueText(ordered, membersOrEmpty(before), value);
    return below === '' ? undefined : below;
  }

  #valueText({ field, struct, cachedText }: OrderedField, before: JsonObject, value: JsonValue): string {
    return cachedText !== undefined && isJsonObject(value) ? cachedText(value) : this.#childrenText(field.type, struct, before, value);
  }

  #childrenText(type: TypeShape, struct: OrderedField['struct'], before: JsonObject, value: JsonValue): string {
    switch (type.shape) {
      case 'object':
        return isJsonObject(value) ? this.#structText(struct ?? this.#cachedOrder(type), before, value) : '';
      case 'map':
        return isJsonObject(value) ? this.#mapText(type.values, value) : '';
      case 'array':
        return isArray(value) && type.merge !== undefined ? this.#listText(type.items, type.merge, value) : '';
      default:
        return '';
    }
  }

  #mapText(values: TypeShape, map: JsonObject): string {
    const granular = isGranular(values);
    let text = '';
    for (const name of Object.keys(map).sort(compareByBytes)) {
      const value = map[name];
      if (value === undefined) continue;
      if (text !== '') text += ',';
      text += this.#elementText(fieldElement(name), values, granular ? value : undefined);
    }
    return text;
  }

  #listText(items: TypeShape, merge: ListMerge, list: readonly JsonValue[]): string {
    const granular = isGranular(items);
    const values = new Map<PathElement, JsonValue | undefined>();
    for (const value of list) {
      const element = listPathElement(merge, merge.type === 'map' ? documentKeys(items, merge.keys, value) : value);
      // The parts of a repeated list item have no owner.
      if (element !== undefined) values.set(element, granular && !values.has(element) ? value : undefined);
    }
    let text = '';
    for (const element of sortedElements(values.keys())) {
      if (text !== '') text += ',';
      text += this.#elementText(element, items, values.get(element));
    }
    return text;
  }

  #elementText(element: PathElement, type: TypeShape, value: JsonValue | undefined): string {
    const below = value === undefined ? '' : withSelf(this.#childrenText(type, undefined, NO_MEMBERS, value));
    return `${quotedElement(element)}:{${below}}`;
  }

  #cachedOrder(shape: ObjectShape): readonly OrderedField[] {
    const cached = this.#ordered.get(shape);
    if (cached !== undefined) return cached;
    const ordered = this.#order(shape, FieldSet.empty);
    this.#ordered.set(shape, ordered);
    return ordered;
  }

  /** A field in `unowned` that has children there is not itself omitted. */
  #order(shape: ObjectShape, unowned: FieldSet): readonly OrderedField[] {
    const owned = shape.fields.filter(({ name }) => {
      const element = fieldElement(name);
      return !unowned.members.has(element) || unowned.children.has(element);
    });
    return owned
      .map((field): OrderedField => {
        const { name, type, atomic } = field;
        const element = fieldElement(name);
        const below = unowned.withPrefix(element);
        return {
          field,
          opening: `${quotedElement(element)}:{`,
          granular: isGranular(type, atomic),
          struct: type.shape === 'object' && !below.isEmpty ? this.#order(type, below) : undefined,
        };
      })
      .sort((a, b) => compareByBytes(a.field.name, b.field.name));
  }
}

const NO_MEMBERS: JsonObject = {};

/** The key fields of a list item as in its document. */
function documentKeys(items: TypeShape, keys: readonly ListKey[], element: JsonValue): JsonValue {
  if (items.shape !== 'object' || !isJsonObject(element)) return element;
  const shown: Record<string, JsonValue | undefined> = {};
  for (const { name } of keys) {
    const field = items.fields.find((each) => each.name === name);
    if (field !== undefined) shown[name] = fieldDocumentValue(field, element[name]);
  }
  return shown;
}

/** For a newly added value: its own path and the paths in it. */
const withSelf = (below: string): string => (below === '' ? '' : `".":{},${below}`);
