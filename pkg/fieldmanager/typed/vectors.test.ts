/**
 * Results of structured-merge-diff 6.3.3 for pairs of objects, with the schema of client-go 0.36.4 for the six kinds.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1, writeFieldsV1 } from '../fieldpath/fields-v1.ts';
import { compare } from './compare.ts';
import { toDocument } from './document.ts';
import { merge } from './merge.ts';
import { ensureNamedFieldsAreMembers } from './ensure-named-fields.ts';
import { reconcileFieldSet } from './reconcile.ts';
import { removeItems } from './remove.ts';
import { toFieldSet } from './paths-below.ts';
import { validate } from './validate.ts';

interface Pair {
  readonly name: string;
  readonly kind: string;
  readonly live: unknown;
  readonly config: unknown;
  readonly set: JsonObject;
  readonly expectedDocument: unknown;
  readonly expectedFields: unknown;
  readonly expectedWithoutSet: unknown;
  readonly expectedReconciledSet: unknown;
  readonly expectedNamedSet: unknown;
  /** For the stored form of both objects; absent if the second is invalid. */
  readonly expectedComparison?: Readonly<Record<'added' | 'modified' | 'removed', unknown>>;
  readonly expectedConfigFields?: unknown;
  readonly expectedMerged?: unknown;
  /** Set if the second object is not a valid configuration. */
  readonly expectedConfigErrorPath?: string;
}

const pairs = JSON.parse(readFileSync(new URL('../../../test/vectors/typed/pairs.json', import.meta.url), 'utf8')) as readonly Pair[];
const kinds = createKinds({ groupSuffix: 'k8s.io' });
const shown = (value: JsonObject): unknown => JSON.parse(writeJson(value));
const fieldsOf = (set: FieldSet): unknown => JSON.parse(writeFieldsV1(set).bytes.toString());

describe('Values of a type', () => {
  it.each(pairs)('match structured-merge-diff: $name', (pair) => {
    const shape = kinds.find(({ definition }) => definition.kind === pair.kind)?.shape;
    if (shape === undefined) throw new Error(`no kind ${pair.kind}`);
    const codec = createObjectCodec(shape);
    const documentOf = (object: unknown) => toDocument(shape, codec.decodeBody(Buffer.from(JSON.stringify(object))).object);
    const live = documentOf(pair.live);
    const set = parseFieldsV1(pair.set) ?? FieldSet.empty;

    expect(shown(live)).toEqual(pair.expectedDocument);
    expect(validate(shape, live, { allowDuplicates: true })).toEqual([]);
    expect(fieldsOf(toFieldSet(shape, live))).toEqual(pair.expectedFields);
    expect(shown(removeItems(shape, live, set))).toEqual(pair.expectedWithoutSet);
    expect(fieldsOf(reconcileFieldSet(shape, set))).toEqual(pair.expectedReconciledSet);
    expect(fieldsOf(ensureNamedFieldsAreMembers(shape, set))).toEqual(pair.expectedNamedSet);
    if (pair.expectedComparison !== undefined) {
      const { added, modified, removed } = compare(shape, live, documentOf(pair.config));
      expect({ added: fieldsOf(added), modified: fieldsOf(modified), removed: fieldsOf(removed) }).toEqual(pair.expectedComparison);
    }

    const config = parseJson(Buffer.from(JSON.stringify(pair.config))).value as JsonObject;
    const errorPaths = validate(shape, config, { allowDuplicates: false }).map(({ path }) => path);
    expect(errorPaths).toEqual(pair.expectedConfigErrorPath === undefined ? [] : [pair.expectedConfigErrorPath]);
    if (pair.expectedMerged === undefined) return;
    expect(fieldsOf(toFieldSet(shape, config))).toEqual(pair.expectedConfigFields);
    expect(shown(merge(shape, live, config))).toEqual(pair.expectedMerged);
  });
});
