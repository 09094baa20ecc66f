import { describe, expect, it } from '@jest/globals';
import { shortCauses } from '../../../../test/support/pod-causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import { backstepCauses, relativePathCauses, writtenPathCauses } from './paths.ts';

const at = FieldPath.of('path');
const count = (check: typeof backstepCauses, text: string) => shortCauses(check(text, at)).length;

describe('A path inside a volume', () => {
  it.each<[string, number, number, number]>([
    ['', 0, 0, 0],
    ['a/b', 0, 0, 0],
    ['a..b/..c/d..', 0, 0, 0],
    ['..a', 0, 0, 1],
    ['/a', 0, 1, 1],
    ['a/../b/..', 1, 1, 1],
    ['../a', 1, 1, 1],
    ['..', 1, 1, 2],
    ['/..', 1, 2, 2],
  ])(
    '%j has %d causes where it may be absolute, %d where relative, %d where the kubelet writes it',
    (text, absolute, relative, written) => {
      expect([count(backstepCauses, text), count(relativePathCauses, text), count(writtenPathCauses, text)]).toEqual([
        absolute,
        relative,
        written,
      ]);
    },
  );

  it('is named with what is wrong in it', () => {
    expect(writtenPathCauses('/../x', at)).toEqual([
      { reason: 'FieldValueInvalid', field: 'path', message: 'Invalid value: "/../x": must be a relative path' },
      { reason: 'FieldValueInvalid', field: 'path', message: 'Invalid value: "/../x": must not contain \'..\'' },
    ]);
  });
});
