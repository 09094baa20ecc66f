import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FieldSet, FieldSetBuilder } from './field-set.ts';
import { type Path, fieldElement } from './path-element.ts';
import { comparePathElements } from './path-order.ts';
import { anyPath, anyPaths, anySet } from '../../../test/fieldmanager/field-arbitraries.ts';

const path = (text: string): Path => text.split('.').map(fieldElement);
const set = (...texts: string[]): FieldSet => FieldSet.of(...texts.map(path));
const same = (a: FieldSet, b: FieldSet): void => {
  expect([...a.paths()]).toEqual([...b.paths()]);
  expect(a.equals(b)).toBe(true);
};
const keyOf = (of: Path): string => JSON.stringify(of);
const keysIn = (of: FieldSet): Set<string> => new Set([...of.paths()].map(keyOf));
const startsWith = (of: Path, prefix: Path): boolean => prefix.length <= of.length && prefix.every((element, at) => of[at] === element);

describe('a set of fields', () => {
  it('distinguishes members from the path elements that lead to them', () => {
    const fields = set('a.b.c', 'a.b', 'd');
    expect(['a', 'a.b', 'a.b.c', 'a.b.c.d', 'd', 'e'].filter((text) => fields.has(path(text)))).toEqual(['a.b', 'a.b.c', 'd']);
  });

  it('never contains the object itself', () => {
    expect(FieldSet.of([]).isEmpty).toBe(true);
    expect(set('a').has([])).toBe(false);
  });

  it('returns the paths below a prefix', () => {
    same(set('a.b.c', 'a.d', 'a').withPrefix(fieldElement('a')), set('b.c', 'd'));
    expect(set('a').withPrefix(fieldElement('a'))).toBe(FieldSet.empty);
  });

  it('difference removes exact paths only', () => {
    same(set('a', 'a.b', 'a.b.c', 'd').difference(set('a.b', 'd.e')), set('a', 'a.b.c', 'd'));
  });

  it('recursiveDifference also removes everything below a path', () => {
    same(set('a', 'a.b', 'a.b.c', 'd.e').recursiveDifference(set('a.b', 'd')), set('a'));
    same(set('a.b', 'a.c').recursiveDifference(set('a.b.x', 'a.c')), set('a.b'));
  });

  it('leaves() returns the paths that no longer path continues', () => {
    same(set('a', 'a.b', 'a.b.c', 'd').leaves(), set('a.b.c', 'd'));
  });

  it('lists its paths in order, shorter ones first', () => {
    expect([...set('b', 'a.c', 'a.b', 'c').paths()]).toEqual(['b', 'c', 'a.b', 'a.c'].map(path));
  });

  it.each([
    ['union with a part of it', (fields: FieldSet) => fields.union(set('a.b'))],
    ['union with nothing', (fields: FieldSet) => fields.union(FieldSet.empty)],
    ['intersection with more', (fields: FieldSet) => fields.intersection(fields.union(set('x.y', 'a.z')))],
    ['difference from others', (fields: FieldSet) => fields.difference(set('a', 'a.b.c', 'x'))],
    ['recursive difference from others', (fields: FieldSet) => fields.recursiveDifference(set('a.c', 'x'))],
    ['leaves', (fields: FieldSet) => fields.leaves()],
  ])('returns itself from a %s that changes nothing', (_, operation) => {
    const fields = set('a.b', 'd');
    expect(operation(fields)).toBe(fields);
  });

  it('shares unchanged parts', () => {
    const fields = set('a.b', 'c.d');
    expect(fields.union(set('a.x')).withPrefix(fieldElement('c'))).toBe(fields.withPrefix(fieldElement('c')));
  });

  it('is the shared empty set when nothing remains', () => {
    const fields = set('a.b', 'c');
    expect(fields.difference(set('a.b', 'c'))).toBe(FieldSet.empty);
    expect(fields.intersection(set('a', 'c.d'))).toBe(FieldSet.empty);
  });

  it('contains the inserted paths', () => {
    fc.assert(
      fc.property(anyPaths, anyPath, (paths, other) => {
        const fields = FieldSet.of(...paths);
        const keys = new Set(paths.map(keyOf));
        expect(keysIn(fields)).toEqual(keys);
        expect(fields.size).toBe(keys.size);
        expect(fields.has(other)).toBe(keys.has(keyOf(other)));
      }),
    );
  });

  it('behaves as a set of paths', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [inA, inB] = [keysIn(a), keysIn(b)];
        expect(keysIn(a.union(b))).toEqual(new Set([...inA, ...inB]));
        expect(keysIn(a.intersection(b))).toEqual(new Set([...inA].filter((key) => inB.has(key))));
        expect(keysIn(a.difference(b))).toEqual(new Set([...inA].filter((key) => !inB.has(key))));
        expect(a.equals(b)).toBe(inA.size === inB.size && [...inA].every((key) => inB.has(key)));
        const outside = [...a.paths()].filter((of) => ![...b.paths()].some((prefix) => startsWith(of, prefix)));
        same(a.recursiveDifference(b), FieldSet.of(...outside));
        const ends = [...a.paths()].filter((of) => ![...a.paths()].some((longer) => longer.length > of.length && startsWith(longer, of)));
        same(a.leaves(), FieldSet.of(...ends));
      }),
    );
  });

  it('satisfies the laws of sets', () => {
    fc.assert(
      fc.property(anySet, anySet, anySet, (a, b, c) => {
        same(a.union(b), b.union(a));
        same(a.union(b).union(c), a.union(b.union(c)));
        same(a.intersection(b), b.intersection(a));
        same(a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c)));
        same(a.difference(b), a.difference(a.intersection(b)));
        same(a.difference(b).union(a.intersection(b)), a);
        expect(a.difference(a).isEmpty).toBe(true);
      }),
    );
  });

  it('has no empty child', () => {
    const isPruned = (fields: FieldSet): boolean => [...fields.children.values()].every((child) => !child.isEmpty && isPruned(child));
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        for (const fields of [a.union(b), a.intersection(b), a.difference(b), a.recursiveDifference(b), a.leaves()])
          expect(isPruned(fields)).toBe(true);
      }),
    );
  });

  it('lists siblings in the order of path elements', () => {
    fc.assert(
      fc.property(anySet, (fields) => {
        const first = [...fields.paths()].filter(({ length }) => length === 1).flat();
        expect(first).toEqual(first.toSorted(comparePathElements));
      }),
    );
  });
});

describe('a field set builder', () => {
  it('omits levels without members', () => {
    const builder = new FieldSetBuilder();
    builder.at(fieldElement('a')).at(fieldElement('b'));
    expect(builder.build()).toBe(FieldSet.empty);
  });

  it('grafts a set below an element', () => {
    const builder = new FieldSetBuilder().insert(path('a.b')).graft(fieldElement('a'), set('c.d')).graft(fieldElement('x'), FieldSet.empty);
    builder.graft(fieldElement('a'), set('e'));
    same(builder.build(), set('a.b', 'a.c.d', 'a.e'));
  });

  it('is empty after build()', () => {
    const builder = new FieldSetBuilder().insert(path('a.b'));
    const first = builder.build();
    builder.add(fieldElement('c'));
    same(first, set('a.b'));
    same(builder.build(), set('c'));
  });
});
