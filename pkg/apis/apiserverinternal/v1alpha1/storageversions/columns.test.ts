import { describe, expect, it } from '@jest/globals';
import { table } from './columns.ts';

const cellsOf = (object: object) => table.cells({ kind: '', apiVersion: '', metadata: {}, ...object });

const versions = (count: number) => Array.from({ length: count }, (_, i) => ({ apiServerID: `s${i}`, encodingVersion: `v${i}` }));

describe('The table of a StorageVersion', () => {
  it.each([
    [{ commonEncodingVersion: 'batch/v1', storageVersions: versions(3) }, 'batch/v1', 's0=v0,s1=v1,s2=v2'],
    [{ storageVersions: versions(4) }, '<unset>', 's0=v0,s1=v1,s2=v2 + 1 more...'],
    [{ storageVersions: versions(13) }, '<unset>', 's0=v0,s1=v1,s2=v2 + 10 more...'],
    [{ storageVersions: versions(1) }, '<unset>', 's0=v0'],
    [{}, '<unset>', '<unset>'],
    [undefined, '<unset>', '<unset>'],
  ])('of the status %j shows %s and %s', (status, common, stored) => {
    expect(cellsOf({ metadata: { name: 'batch.jobs' }, status })).toEqual(['batch.jobs', common, stored, { age: undefined }]);
  });
});
