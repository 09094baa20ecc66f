import { describe, expect, it } from '@jest/globals';
import { causesOfPod } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodResourceClaim, PodSpec } from '../types.gen.ts';

describe('A claim of a pod', () => {
  const claims = (...resourceClaims: readonly Unchecked<PodResourceClaim>[]) => ({ resourceClaims });
  const at = (field: string) => `s.resourceClaims[0]${field}`;
  it.each<readonly [string, Unchecked<PodSpec>, readonly string[]]>([
    ['is right', claims({ name: 'gpu', resourceClaimName: 'shared.gpu' }, { name: 'nic', resourceClaimTemplateName: 'nic' }), []],
    ['has a name', claims({ resourceClaimName: 'a' }), [`Required ${at('.name')}`]],
    ['has a label as name', claims({ name: 'a.b', resourceClaimName: 'a' }), [`Invalid ${at('.name')}`]],
    [
      'has a name of its own',
      claims({ name: 'a', resourceClaimName: 'a' }, { name: 'a', resourceClaimName: 'b' }),
      ['Duplicate s.resourceClaims[1].name'],
    ],
    ['has a source', claims({ name: 'a' }), [`Invalid ${at('')}`]],
    ['has one source', claims({ name: 'a', resourceClaimName: 'a', resourceClaimTemplateName: 'a' }), [`Invalid ${at('')}`]],
    ['names a claim', claims({ name: 'a', resourceClaimName: 'a_b' }), [`Invalid ${at('.resourceClaimName')}`]],
    ['names a template', claims({ name: 'a', resourceClaimTemplateName: '' }), [`Invalid ${at('.resourceClaimTemplateName')}`]],
  ])('%s', (_, fields, causes) => expect(causesOfPod(fields)).toEqual(causes));
});
