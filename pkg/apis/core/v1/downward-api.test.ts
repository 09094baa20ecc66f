import { describe, expect, it } from '@jest/globals';
import { shortCauses } from '../../../../test/support/pod-causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { validateFieldRef, validateResourceFieldRef } from './downward-api.ts';
import type { ResourceFieldSelector } from './types.gen.ts';

const at = FieldPath.of('ref');
const ofField = (fieldPath: string, kind: 'env' | 'volume', apiVersion = 'v1') =>
  shortCauses(validateFieldRef({ apiVersion, fieldPath }, at, kind));
const ofResource = (ref: Unchecked<ResourceFieldSelector>, needsContainer = false) =>
  shortCauses(validateResourceFieldRef(ref, at, needsContainer));

describe('fieldRef', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['metadata.name', [], []],
    ['metadata.uid', [], []],
    ["metadata.labels['example.com/app']", [], []],
    ["metadata.annotations['example.com/App_1']", [], []],
    // Annotation keys are checked in lower case.
    ["metadata.annotations['EXAMPLE.com/a']", [], []],
    ["metadata.labels['EXAMPLE.com/a']", ['Invalid ref'], ['Invalid ref']],
    ["metadata.labels['']", ['Invalid ref', 'Invalid ref'], ['Invalid ref', 'Invalid ref']],
    ['metadata.labels', ['NotSupported ref.fieldPath'], []],
    ['metadata.annotations', ['NotSupported ref.fieldPath'], []],
    ['status.podIPs', [], ['NotSupported ref.fieldPath']],
    ['status.hostIPs', [], ['NotSupported ref.fieldPath']],
    ['spec.nodeName', [], ['NotSupported ref.fieldPath']],
    ['spec.host', [], ['NotSupported ref.fieldPath']],
    ['spec.serviceAccountName', [], ['NotSupported ref.fieldPath']],
    ['status.phase', ['NotSupported ref.fieldPath'], ['NotSupported ref.fieldPath']],
    ['spec.restartPolicy', ['NotSupported ref.fieldPath'], ['NotSupported ref.fieldPath']],
    ['status.startTime', ['Invalid ref.fieldPath'], ['Invalid ref.fieldPath']],
    ["spec.nodeSelector['a']", ['Invalid ref.fieldPath'], ['Invalid ref.fieldPath']],
    ["['a']", ['Invalid ref.fieldPath'], ['Invalid ref.fieldPath']],
    ["metadata.labels['", ['Invalid ref.fieldPath'], ['Invalid ref.fieldPath']],
    ["metadata.labels[']", ['Invalid ref.fieldPath'], ['Invalid ref.fieldPath']],
    ['', ['Required ref.fieldPath'], ['Required ref.fieldPath']],
  ])('to %s: %j for a variable, %j in a volume', (fieldPath, inEnv, inVolume) => {
    expect([ofField(fieldPath, 'env'), ofField(fieldPath, 'volume')]).toEqual([inEnv, inVolume]);
  });

  it('is meant in version v1', () => {
    expect(ofField('metadata.name', 'env', 'v2')).toEqual(['Invalid ref.fieldPath']);
    expect(ofField('metadata.name', 'env', '')).toEqual(['Required ref.apiVersion']);
  });

  it('lists the fields that there are', () => {
    expect(validateFieldRef({ apiVersion: 'v1', fieldPath: 'status.phase' }, at, 'volume')[0]?.message).toBe(
      'Unsupported value: "status.phase": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
    );
  });
});

describe('resourceFieldRef', () => {
  it.each<[Unchecked<ResourceFieldSelector>, readonly string[]]>([
    [{ resource: 'limits.cpu' }, []],
    [{ resource: 'limits.cpu', divisor: '1m' }, []],
    [{ resource: 'requests.memory', divisor: '0' }, []],
    [{ resource: 'requests.memory', divisor: '1Mi' }, []],
    [{ resource: 'limits.hugepages-2Mi', divisor: '1k' }, []],
    [{ resource: 'requests.hugepages-', divisor: '1' }, []],
    [{}, ['Required ref.resource']],
    [{ resource: 'limits.example.com/gpu' }, ['NotSupported ref.resource']],
    [{ resource: 'limits.pods', divisor: '7' }, ['NotSupported ref.resource']],
    [{ resource: 'requests.cpu', divisor: '1k' }, ['Invalid ref.divisor']],
    [{ resource: 'limits.memory', divisor: '1m' }, ['Invalid ref.divisor']],
    [{ resource: 'limits.ephemeral-storage', divisor: '2' }, ['Invalid ref.divisor']],
    [{ resource: 'limits.hugepages-2Mi', divisor: '1m' }, ['Invalid ref.divisor']],
  ])('%j has causes %j', (ref, causes) => {
    expect(ofResource(ref)).toEqual(causes);
  });

  it('names its container in a volume', () => {
    expect(ofResource({ resource: 'limits.cpu', divisor: '3' }, true)).toEqual(['Required ref.containerName', 'Invalid ref.divisor']);
    expect(ofResource({ resource: 'limits.cpu', containerName: 'main' }, true)).toEqual([]);
  });
});
