import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

describe('The table of a VolumeAttachment', () => {
  it.each([
    [
      { spec: { attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'pv-1' } }, status: { attached: true } },
      ['va', 'csi.example.com', 'pv-1', 'n1', true],
    ],
    [
      { spec: { attacher: 'csi.example.com', nodeName: 'n1', source: { inlineVolumeSpec: {} } } },
      ['va', 'csi.example.com', '', 'n1', false],
    ],
    [{ status: { attached: 'yes' } }, ['va', '', '', '', false]],
  ])('of %j shows %j', (object, cells) => {
    expect(cellsOf({ metadata: { name: 'va' }, ...object })).toEqual([...cells, { age: undefined }]);
  });
});
