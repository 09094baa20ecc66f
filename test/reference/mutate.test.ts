import { describe, expect, it } from '@jest/globals';
import { Draw } from './draw.ts';
import { mutate } from './mutate.ts';
import { createTargets } from './targets.ts';
import { toText, valueAt } from './tree.ts';

const TARGETS = createTargets();

const mutants = (seed: string, count: number) =>
  TARGETS.flatMap((target) =>
    Array.from({ length: count }, (_, index) => {
      const draw = new Draw(`${seed} ${target.name} ${index}`);
      const object = target.object(draw, target.nameOf('one', 'a'), 'a');
      return { object, mutant: mutate(object, { draw, ...target }) };
    }),
  );

describe('Mutants of objects of every kind', () => {
  it('are the same for the same seed', () => {
    const texts = (seed: string) => mutants(seed, 5).map(({ mutant }) => toText(mutant));
    expect(texts('a')).toEqual(texts('a'));
    expect(texts('a')).not.toEqual(texts('b'));
  });

  it('leave what they are made of alone', () => {
    for (const target of TARGETS) {
      const draw = new Draw(target.name);
      const object = target.object(draw, 'one', 'a');
      const before = toText(object);
      for (let index = 0; index < 50; index++) mutate(object, { draw, ...target });
      expect(toText(object)).toBe(before);
    }
  });

  it('are others than the object, mostly', () => {
    const all = mutants('others', 50);
    const changed = all.filter(({ object, mutant }) => toText(object) !== toText(mutant));
    expect(changed.length).toBeGreaterThan(all.length * 0.6);
  });

  it('never take the name of an object that is not theirs', () => {
    const names = mutants('names', 200).map(({ mutant }) => valueAt(mutant, ['metadata', 'name']));
    const others = names.filter((name) => typeof name === 'string' && !/one/i.test(name) && !['', '.', '..'].includes(name));
    expect(others).toEqual([]);
  });
});
