import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from '../fieldpath/fields-v1.ts';
import { ensureNamedFieldsAreMembers } from './ensure-named-fields.ts';
import { reconcileFieldSet } from './reconcile.ts';

const setOf = (fields: JsonObject): FieldSet => parseFieldsV1(fields) ?? FieldSet.empty;
const fieldsOf = (set: FieldSet): unknown => JSON.parse(writeFieldsV1(set).bytes.toString());

describe('reconcileFieldSet', () => {
  it.each<[what: string, recorded: JsonObject, now: JsonObject]>([
    ['struct', { 'f:atomicStruct': { 'f:a': {} }, 'f:name': {} }, { 'f:atomicStruct': {}, 'f:name': {} }],
    ['struct that was owned too', { 'f:atomicStruct': { '.': {}, 'f:a': {} } }, { 'f:atomicStruct': {} }],
    ['struct, by its field', { 'f:structMadeAtomic': { 'f:a': {} } }, { 'f:structMadeAtomic': {} }],
    ['map', { 'f:atomicMap': { 'f:a': {}, 'f:b': {} } }, { 'f:atomicMap': {} }],
    ['list', { 'f:atomicList': { 'k:{"a":"x"}': { '.': {}, 'f:a': {} } } }, { 'f:atomicList': {} }],
    ['raw value', { 'f:raw': { 'f:a': {} } }, { 'f:raw': {} }],
    ['list item', { 'f:owners': { 'k:{"a":"x"}': { '.': {}, 'f:a': {} } } }, { 'f:owners': { 'k:{"a":"x"}': {} } }],
  ])('gives the owner of parts of an atomic %s the whole', (_, recorded, now) => {
    expect(fieldsOf(reconcileFieldSet(MERGE_SHAPE, setOf(recorded)))).toEqual(now);
  });

  it.each<[what: string, recorded: JsonObject]>([
    [
      'what fits',
      { 'f:struct': { 'f:inner': { 'f:a': {} } }, 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:note': {} } }, 'f:atomicMap': {} },
    ],
    ['atomic values that are now granular', { 'f:struct': {}, 'f:map': {}, 'f:set': {} }],
    ['a field that is granular although its type is atomic', { 'f:structMadeGranular': { 'f:a': {} } }],
    ['unknown fields', { 'f:unknown': { 'f:a': {} }, 'f:struct': { 'v:"x"': { 'f:a': {} } } }],
    ['paths below a scalar', { 'f:name': { 'f:a': {} }, 'f:set': { 'v:"a"': { 'f:b': {} } } }],
  ])('leaves unchanged %s', (_, recorded) => {
    const set = setOf(recorded);
    expect(reconcileFieldSet(MERGE_SHAPE, set)).toBe(set);
  });
});

describe('ensureNamedFieldsAreMembers', () => {
  it.each<[what: string, set: JsonObject, named: JsonObject]>([
    ['structs', { 'f:struct': { 'f:inner': { 'f:a': {} } } }, { 'f:struct': { '.': {}, 'f:inner': { '.': {}, 'f:a': {} } } }],
    [
      'maps and lists',
      { 'f:map': { 'f:a': {} }, 'f:set': { 'v:"a"': {} } },
      { 'f:map': { '.': {}, 'f:a': {} }, 'f:set': { '.': {}, 'v:"a"': {} } },
    ],
    [
      'structs inside elements and maps, but not those themselves',
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:flags': { 'v:"f"': {} } } }, 'f:mapOfStructs': { 'f:k': { 'f:a': {} } } },
      {
        'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { 'f:flags': { '.': {}, 'v:"f"': {} } } },
        'f:mapOfStructs': { '.': {}, 'f:k': { 'f:a': {} } },
      },
    ],
  ])('adds the fields that are %s', (_, set, named) => {
    expect(fieldsOf(ensureNamedFieldsAreMembers(MERGE_SHAPE, setOf(set)))).toEqual(named);
  });

  it('returns the same set if all are present', () => {
    const set = setOf({ 'f:struct': { '.': {}, 'f:text': {} }, 'f:name': {}, 'f:unknown': { 'f:a': {} } });
    expect(ensureNamedFieldsAreMembers(MERGE_SHAPE, set)).toBe(set);
  });
});
