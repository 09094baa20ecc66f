import { describe, expect, it } from '@jest/globals';
import { MERGE_SHAPE } from '../../../test/support/merge-shape.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { FieldSet } from '../fields/field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from '../fields/fields-v1.ts';
import { withNamedFields } from './named-fields.ts';
import { reconcileFieldSet } from './reconcile.ts';

const setOf = (fields: JsonObject): FieldSet => parseFieldsV1(fields) ?? FieldSet.empty;
const fieldsOf = (set: FieldSet): unknown => JSON.parse(writeFieldsV1(set).bytes.toString());

describe('reconcileFieldSet', () => {
  it.each<[what: string, recorded: JsonObject, now: JsonObject]>([
    ['a struct', { 'f:atomicStruct': { 'f:a': {} }, 'f:name': {} }, { 'f:atomicStruct': {}, 'f:name': {} }],
    ['a struct that was owned too', { 'f:atomicStruct': { '.': {}, 'f:a': {} } }, { 'f:atomicStruct': {} }],
    ['a struct, by its field', { 'f:structMadeAtomic': { 'f:a': {} } }, { 'f:structMadeAtomic': {} }],
    ['a map', { 'f:atomicMap': { 'f:a': {}, 'f:b': {} } }, { 'f:atomicMap': {} }],
    ['a list', { 'f:atomicList': { 'k:{"a":"x"}': { '.': {}, 'f:a': {} } } }, { 'f:atomicList': {} }],
    ['a raw value', { 'f:raw': { 'f:a': {} } }, { 'f:raw': {} }],
    ['an element', { 'f:owners': { 'k:{"a":"x"}': { '.': {}, 'f:a': {} } } }, { 'f:owners': { 'k:{"a":"x"}': {} } }],
  ])('has who owns parts of %s with one owner own the whole', (_, recorded, now) => {
    expect(fieldsOf(reconcileFieldSet(MERGE_SHAPE, setOf(recorded)))).toEqual(now);
  });

  it.each<[what: string, recorded: JsonObject]>([
    [
      'what fits',
      { 'f:struct': { 'f:inner': { 'f:a': {} } }, 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:note': {} } }, 'f:atomicMap': {} },
    ],
    ['what was owned whole and has parts now', { 'f:struct': {}, 'f:map': {}, 'f:set': {} }],
    ['what the type says is atomic and the field does not', { 'f:structMadeGranular': { 'f:a': {} } }],
    ['what is not known', { 'f:unknown': { 'f:a': {} }, 'f:struct': { 'v:"x"': { 'f:a': {} } } }],
    ['what is below a scalar', { 'f:name': { 'f:a': {} }, 'f:set': { 'v:"a"': { 'f:b': {} } } }],
  ])('leaves alone %s', (_, recorded) => {
    const set = setOf(recorded);
    expect(reconcileFieldSet(MERGE_SHAPE, set)).toBe(set);
  });
});

describe('withNamedFields', () => {
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
    expect(fieldsOf(withNamedFields(MERGE_SHAPE, setOf(set)))).toEqual(named);
  });

  it('gives back the set when all are there', () => {
    const set = setOf({ 'f:struct': { '.': {}, 'f:text': {} }, 'f:name': {}, 'f:unknown': { 'f:a': {} } });
    expect(withNamedFields(MERGE_SHAPE, set)).toBe(set);
  });
});
