import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TransientMap } from './transient-map.ts';

describe('a map of what comes and goes', () => {
  it('is a map', () => {
    const steps = fc.array(fc.tuple(fc.nat(100), fc.constantFrom('set', 'set', 'set', 'delete', 'get')), { maxLength: 2000, size: 'max' });
    fc.assert(
      fc.property(steps, (all) => {
        const map = new TransientMap<number, number>();
        const model = new Map<number, number>();
        for (const [at, [key, step]] of all.entries()) {
          if (step === 'set') {
            map.set(key, at);
            model.set(key, at);
          } else if (step === 'delete') expect(map.delete(key)).toBe(model.delete(key));
          expect(map.get(key)).toBe(model.get(key));
          expect(map.size).toBe(model.size);
        }
        expect([...map]).toEqual([...model]);
        expect([...map.keys()]).toEqual([...model.keys()]);
        expect([...map.values()]).toEqual([...model.values()]);
        map.clear();
        expect([map.size, [...map]]).toEqual([0, []]);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps nothing alive that has left it, once young objects were collected', () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('V8 lends no collector');
    const collectYoung = (): void => {
      Reflect.apply(collect, undefined, [{ type: 'minor' }]);
    };
    const OF = 20_000;
    const BYTES = 4096;
    const map = new TransientMap<number, ArrayBuffer>();
    const churn = (from: number): void => {
      for (let at = from; at < from + OF; at++) {
        map.set(at, new ArrayBuffer(BYTES));
        map.delete(at - 8);
        if (at % 500 === 0) collectYoung();
      }
      // What is freed is counted by the next one.
      for (let again = 0; again < 3; again++) collectYoung();
    };
    churn(0);
    const before = process.memoryUsage().arrayBuffers;
    churn(OF);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((OF * BYTES) / 10);
  });
});
