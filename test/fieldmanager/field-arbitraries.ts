/** Generated path elements and sets for property tests: few names, so that sets meet, and odd ones. */
import fc from 'fast-check';
import type { JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { FieldSet } from '../../pkg/fieldmanager/fieldpath/field-set.ts';
import {
  type Path,
  type PathElement,
  fieldElement,
  indexElement,
  keyElement,
  valueElement,
} from '../../pkg/fieldmanager/fieldpath/path-element.ts';

const anyName = fc.constantFrom('a', 'b', 'spec', '', '.', '__proto__', 'constructor', '<"\\>', '\u2028\b', '\ue000', '😀', '10', '9');

const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(anyName, fc.constantFrom(0, 1, 80, 1.5, -1, 1e21, 1e-7, true, false, null, 9007199254740993n)),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(anyName, tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;

const anyKeys = fc.uniqueArray(fc.record({ name: anyName, value: anyValue }), { maxLength: 2, selector: ({ name }) => name });

export const anyElement: fc.Arbitrary<PathElement> = fc.oneof(
  { weight: 4, arbitrary: anyName.map(fieldElement) },
  { weight: 2, arbitrary: anyKeys.map(keyElement) },
  { weight: 1, arbitrary: anyValue.map(valueElement) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 12 }).map(indexElement) },
);

export const anyPath: fc.Arbitrary<Path> = fc.array(anyElement, { minLength: 1, maxLength: 4 });

/** Half of them over very few paths. */
export const anyPaths: fc.Arbitrary<readonly Path[]> = fc.oneof(
  fc.array(anyPath, { maxLength: 8 }),
  fc.array(fc.array(fc.constantFrom('a', 'b').map(fieldElement), { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
);

export const anySet: fc.Arbitrary<FieldSet> = anyPaths.map((paths) => FieldSet.of(...paths));
