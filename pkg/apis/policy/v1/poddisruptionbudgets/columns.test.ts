import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

describe('The table of a PodDisruptionBudget', () => {
  it.each([
    [{ spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 3 } }, ['pdb', '50%', 'N/A', 3]],
    [{ spec: { maxUnavailable: 0 }, status: {} }, ['pdb', 'N/A', '0', 0]],
    [{}, ['pdb', 'N/A', 'N/A', 0]],
  ])('of %j shows %j', (object, cells) => {
    const metadata = { name: 'pdb', creationTimestamp: '2026-03-01T00:00:00Z' };
    expect(cellsOf({ metadata, ...object })).toEqual([...cells, { age: Date.UTC(2026, 2, 1) }]);
  });
});
