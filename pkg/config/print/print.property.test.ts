import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatDuration } from '../../apimachinery/time/duration.ts';
import type { ConfigDocument } from '../config-document.ts';
import { CONFIG_KINDS, CONFIG_SHAPES } from '../kinds/kinds.gen.ts';
import type { ConfigField } from '../kinds/config-kind.ts';
import { parseConfig } from '../load-config.ts';
import type { LoadedConfig } from '../load-config.ts';
import { convertSpelling } from '../spelling/convert-spelling.ts';
import { changedValues, starterValues } from './changed-values.ts';
import { compareDocuments } from './compare-documents.ts';
import { printCommented } from './print-commented.ts';
import { printYaml } from './print-yaml.ts';

const folder = path.resolve(import.meta.dirname, '../../../examples/config');
const examples = readdirSync(folder).map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
const kinds = CONFIG_KINDS.map(({ kind }) => kind);

function documentsOf(loaded: LoadedConfig): readonly ConfigDocument[] {
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  return loaded.documents;
}

/** A value that is valid for the type of the field, but not necessarily for the rules. */
function valueOf(field: ConfigField): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'object':
      return objectOf(field.shape);
    case 'list':
      return fc.array<unknown>(field.shape === undefined ? text : objectOf(field.shape), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    case 'number':
      return fc.double({ min: -1e30, max: 1e30, noNaN: true });
    default:
      return field.format === 'duration' ? fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(formatDuration) : text;
  }
}

const text = fc.oneof(
  fc.constantFrom('yes', 'off', '1e3', '0x10', '~', '<<', '-', '', '1:30', '2020-01-01', 'null', '.nan', '*'),
  fc.string({ unit: 'grapheme' }),
);

const objectOf = (shape = ''): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      (CONFIG_SHAPES[shape]?.fields ?? []).filter(({ movedTo }) => movedTo === undefined).map((field) => [field.name, valueOf(field)]),
    ),
    { requiredKeys: [] },
  );

describe('printed configurations', () => {
  it.each(kinds)('have no problems for the defaults of %s', (kind) => {
    expect(parseConfig(printYaml([starterValues(kind, 'example.org')]))).toMatchObject({ valid: true, problems: [] });
  });

  it.each(kinds)('have the same meaning with comments, of at most 100 columns, for %s', (kind) => {
    const values = starterValues(kind, 'example.org');
    const commented = printCommented(values, kind);
    expect(documentsOf(parseConfig(commented)).map(({ config }) => config)).toEqual([values]);
    const comments = commented.split('\n').filter((line) => line.trim().startsWith('#'));
    expect(comments.length).toBeGreaterThan(5);
    expect(comments.filter((line) => line.length > 100)).toEqual([]);
  });

  it.each(examples)('have the same meaning for $file, complete or changed values only', ({ text: written }) => {
    const documents = documentsOf(parseConfig(written));
    const whole = documentsOf(parseConfig(printYaml(documents.map(({ config }) => config))));
    const changed = documentsOf(parseConfig(printYaml(documents.map(changedValues))));
    expect(whole.map(({ config }) => config)).toEqual(documents.map(({ config }) => config));
    expect(compareDocuments(documents, changed)).toEqual([]);
  });

  it.each(examples)('of $file round-trip through the older names', ({ text: written }) => {
    const { text: old = '' } = convertSpelling(written, 'old');
    expect(convertSpelling(old, 'current')).toEqual({ text: written, problems: [] });
    expect(compareDocuments(documentsOf(parseConfig(written)), documentsOf(parseConfig(old)))).toEqual([]);
  });

  it.each(kinds)('of arbitrary %s round-trip through the older names', (kind) => {
    fc.assert(
      fc.property(objectOf(kind), (values) => {
        const identity = starterValues(kind, 'k8s.io');
        const current = printYaml([{ ...values, apiVersion: identity['apiVersion'], kind }]);
        const old = convertSpelling(current, 'old');
        expect(old.problems.filter(({ reason }) => reason === 'NotConverted')).toEqual([]);
        expect(convertSpelling(old.text ?? '', 'current').text).toBe(current);
      }),
      { numRuns: 40 },
    );
  });

  it.each(kinds)('of arbitrary %s keep their values', (kind) => {
    fc.assert(
      fc.property(objectOf(kind), (values) => {
        const identity = starterValues(kind, 'k8s.io');
        const { problems } = parseConfig(printYaml([{ ...values, apiVersion: identity['apiVersion'], kind }]));
        const misread = problems.filter(({ reason }) =>
          ['Syntax', 'WrongType', 'UnknownField', 'InvalidDuration', 'UnknownKind'].includes(reason),
        );
        expect(misread).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
