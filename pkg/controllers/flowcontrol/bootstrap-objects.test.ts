import { describe, expect, it } from '@jest/globals';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import { AUTO_UPDATE, type BootstrapObject, createBootstrapObjects, revise } from './bootstrap-objects.ts';

function wantedOf(resource: BootstrapObject['resource'], name: string): BootstrapObject {
  const found = createBootstrapObjects(DEFAULT_GROUP_SUFFIX).find(
    (each) => each.resource === resource && each.object.metadata.name === name,
  );
  if (found === undefined) throw new Error(`no ${resource} ${name}`);
  return found;
}

const SUGGESTED = wantedOf('prioritylevelconfigurations', 'workload-low');
const MANDATORY = wantedOf('flowschemas', 'catch-all');
const OTHER_SPEC = { type: 'Limited' };

const stored = (
  { object }: BootstrapObject,
  { annotation, generation = 1, spec = OTHER_SPEC }: { annotation?: string; generation?: number; spec?: object } = {},
): KubernetesObject => {
  const annotations = annotation === undefined ? {} : { annotations: { [AUTO_UPDATE]: annotation } };
  return { ...object, metadata: { name: object.metadata.name ?? '', generation, ...annotations }, spec: spec as KubernetesObject };
};

describe('A stored object of flow control', () => {
  it.each<[string, BootstrapObject, Parameters<typeof stored>[1], 'kept' | 'restored' | 'left to its owner']>([
    ['as it was made', SUGGESTED, { annotation: 'true', spec: SUGGESTED.object.spec }, 'kept'],
    ['that was changed', SUGGESTED, { annotation: 'true', generation: 2 }, 'restored'],
    ['that its owner keeps', SUGGESTED, { annotation: 'false', generation: 2 }, 'kept'],
    ['without a word, new', SUGGESTED, {}, 'restored'],
    ['without a word, changed', SUGGESTED, { generation: 2 }, 'left to its owner'],
    ['with a wrong word', SUGGESTED, { annotation: 'maybe', generation: 2 }, 'left to its owner'],
    ['that must be, and was changed', MANDATORY, { annotation: 'false', generation: 2 }, 'restored'],
  ])('%s: %#', (_, wanted, more, expected) => {
    const object = stored(wanted, more);
    const revised = revise(object, wanted);
    if (expected === 'kept') {
      expect(revised).toBeUndefined();
      return;
    }
    const isRestored = expected === 'restored';
    expect(revised?.metadata.annotations).toEqual({ [AUTO_UPDATE]: String(isRestored) });
    expect(revised?.['spec']).toEqual(isRestored ? wanted.object.spec : OTHER_SPEC);
  });

  it('of the name exempt lends what its owner says', () => {
    const exempt = wantedOf('prioritylevelconfigurations', 'exempt');
    const lends = { type: 'Exempt', exempt: { nominalConcurrencyShares: 10, lendablePercent: 50 } };
    expect(revise(stored(exempt, { annotation: 'true', spec: lends }), exempt)).toBeUndefined();
  });
});
