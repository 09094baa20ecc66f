/**
 * Who owns what of an object that is created. It is what `recordUpdate` says of an object that comes out of nothing, told in one walk that makes neither
 * documents nor sets: those were a tenth of a create's processor time and a third of its garbage.
 */
import { equalJson } from '../../apimachinery/json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { compareByBytes, isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { rememberRecent } from '../../apimachinery/recent/remember-recent.ts';
import type { FieldShape, ListKey, ListMerge, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import { quotedElement } from '../fields/fields-v1.ts';
import { type PathElement, fieldElement } from '../fields/path-element.ts';
import { sortedElements } from '../fields/path-order.ts';
import { FieldOwner, type ManagedFields, NO_MANAGED_FIELDS, ownerIdentity } from '../managed-fields/field-owner.ts';
import { NEVER_OWNED } from '../managed-fields/never-owned.ts';
import { shownValue, valueDocument } from '../typed/document.ts';
import { isGranular } from '../typed/granularity.ts';
import { elementOf } from '../typed/list-element.ts';
import { isBlank, membersIn } from '../typed/members.ts';
import type { WriterFacts } from './record-update.ts';
import type { TrackedPath } from './tracked-path.ts';

/** A field of a struct, in the order of `fieldsV1`. */
interface OrderedField {
  readonly field: FieldShape;
  /** `"f:name":{` */
  readonly opening: string;
  readonly granular: boolean;
  /** Of a struct parts of which nobody can own. */
  readonly struct: readonly OrderedField[] | undefined;
  /** Of a struct in the outermost one: what it said of the last few. */
  readonly recent?: (value: JsonObject) => string;
}

export class NewFields {
  readonly #apiVersion: string;
  readonly #nothing: JsonObject;
  readonly #top: readonly OrderedField[];
  /** Shapes refer to each other in circles, so each is put in order when it is first met. */
  readonly #ordered = new Map<ObjectShape, readonly OrderedField[]>();

  /** `nothing`: the document of an object without any value; its lists and maps are empty. */
  constructor({ shape, apiVersion, reset }: TrackedPath, nothing: JsonObject) {
    this.#apiVersion = apiVersion;
    this.#nothing = nothing;
    this.#top = this.#order(shape, NEVER_OWNED.union(reset)).map((ordered) => {
      const { field, granular, struct } = ordered;
      const { name, type } = field;
      if (type.shape !== 'object' || !granular || struct !== undefined) return ordered;
      const before = membersIn(nothing[name]);
      return { ...ordered, recent: rememberRecent((value: JsonObject) => this.#struct(this.#orderOnce(type), before, value)) };
    });
  }

  /** `object` as decoded; its managedFields do not count. */
  ownedBy(writer: WriterFacts, object: JsonObject): ManagedFields {
    const text = this.#struct(this.#top, this.#nothing, object);
    if (text === '') return NO_MANAGED_FIELDS;
    const facts = { ...writer, operation: 'Update', apiVersion: this.#apiVersion } as const;
    return new Map([[ownerIdentity(facts), new FieldOwner(facts, new RawJson(Buffer.from(`{${text}}`, 'utf8')))]]);
  }

  #struct(fields: readonly OrderedField[], before: JsonObject, object: JsonObject): string {
    let text = '';
    for (const ordered of fields) {
      const { field, opening } = ordered;
      const value = shownValue(field, object[field.name]);
      if (value === undefined) continue;
      const below = this.#field(ordered, before[field.name], value);
      if (below === undefined) continue;
      if (text !== '') text += ',';
      text += `${opening}${below}}`;
    }
    return text;
  }

  /** What is in the braces behind the field's name; `undefined`: it is as it was. */
  #field(ordered: OrderedField, before: JsonValue | undefined, value: JsonValue): string | undefined {
    if (value === before) return undefined;
    const { field, granular } = ordered;
    if (before === undefined) return granular ? withItself(this.#inside(ordered, NO_MEMBERS, value)) : '';
    if (!granular || (isBlank(before) && isBlank(value))) return equalJson(before, valueDocument(field.type, value)) ? undefined : '';
    const below = this.#inside(ordered, membersIn(before), value);
    return below === '' ? undefined : below;
  }

  #inside({ field, struct, recent }: OrderedField, before: JsonObject, value: JsonValue): string {
    return recent !== undefined && isJsonObject(value) ? recent(value) : this.#below(field.type, struct, before, value);
  }

  #below(type: TypeShape, struct: OrderedField['struct'], before: JsonObject, value: JsonValue): string {
    switch (type.shape) {
      case 'object':
        return isJsonObject(value) ? this.#struct(struct ?? this.#orderOnce(type), before, value) : '';
      case 'map':
        return isJsonObject(value) ? this.#map(type.values, value) : '';
      case 'array':
        return isArray(value) && type.merge !== undefined ? this.#list(type.items, type.merge, value) : '';
      default:
        return '';
    }
  }

  #map(values: TypeShape, map: JsonObject): string {
    const granular = isGranular(values);
    let text = '';
    for (const name of Object.keys(map).sort(compareByBytes)) {
      const value = map[name];
      if (value === undefined) continue;
      if (text !== '') text += ',';
      text += this.#element(fieldElement(name), values, granular ? value : undefined);
    }
    return text;
  }

  #list(items: TypeShape, merge: ListMerge, list: readonly JsonValue[]): string {
    const granular = isGranular(items);
    const values = new Map<PathElement, JsonValue | undefined>();
    for (const value of list) {
      const element = elementOf(merge, merge.type === 'map' ? shownKeys(items, merge.keys, value) : value);
      // Of an element that comes more than once, nobody can tell which one its parts are of.
      if (element !== undefined) values.set(element, granular && !values.has(element) ? value : undefined);
    }
    let text = '';
    for (const element of sortedElements(values.keys())) {
      if (text !== '') text += ',';
      text += this.#element(element, items, values.get(element));
    }
    return text;
  }

  #element(element: PathElement, type: TypeShape, value: JsonValue | undefined): string {
    const below = value === undefined ? '' : withItself(this.#below(type, undefined, NO_MEMBERS, value));
    return `${quotedElement(element)}:{${below}}`;
  }

  #orderOnce(shape: ObjectShape): readonly OrderedField[] {
    const known = this.#ordered.get(shape);
    if (known !== undefined) return known;
    const ordered = this.#order(shape, FieldSet.empty);
    this.#ordered.set(shape, ordered);
    return ordered;
  }

  /** `unowned`: what has an element further down stays itself. */
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

/** What of an element its keys are, as a document has them. */
function shownKeys(items: TypeShape, keys: readonly ListKey[], element: JsonValue): JsonValue {
  if (items.shape !== 'object' || !isJsonObject(element)) return element;
  const shown: Record<string, JsonValue | undefined> = {};
  for (const { name } of keys) {
    const field = items.fields.find((each) => each.name === name);
    if (field !== undefined) shown[name] = shownValue(field, element[name]);
  }
  return shown;
}

/** Of what came as a whole: it is a path, and so is what is in it. */
const withItself = (below: string): string => (below === '' ? '' : `".":{},${below}`);
