import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

const owner = (reference: object) => ({ metadata: { name: 'web-1', ownerReferences: [{ kind: 'Other', name: 'x' }, reference] } });

describe('The table of a ControllerRevision', () => {
  it.each([
    [{ ...owner({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', controller: true }), revision: 7 }, 'statefulset.apps/web', 7],
    [owner({ apiVersion: 'v1', kind: 'ReplicationController', name: 'web', controller: true }), 'replicationcontroller/web', 0],
    [owner({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', controller: false }), '<none>', 0],
    [{ metadata: { name: 'web-1' }, revision: 9007199254740993n }, '<none>', 9007199254740993n],
    [{ metadata: { name: 'web-1', ownerReferences: 'many' } }, '<none>', 0],
  ])('shows controller and revision', (object, controller, revision) => {
    expect(cellsOf(object)).toEqual(['web-1', controller, revision, { age: undefined }]);
  });
});
