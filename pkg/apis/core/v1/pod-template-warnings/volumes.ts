import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Volume } from '../types.gen.ts';
import { warnOfFractions } from './fractions.ts';
import { warning } from './warning.ts';

type VolumeSourceName = Exclude<keyof Volume, 'name'>;

/** Deprecated volume sources, with their names in Kubernetes' warnings. */
const DEPRECATED: readonly (readonly [source: VolumeSourceName, shown: string, why: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** `path` is that of the list. */
export function* warnOfVolumes(volumes: readonly Unchecked<Volume>[] = [], path: FieldPath): Generator<string> {
  for (const [index, volume] of volumes.entries()) {
    for (const [source, shown, why] of DEPRECATED) {
      if (volume[source] !== undefined) yield warning(path.index(index).child(shown), why);
    }
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec?.resources;
    if (claim === undefined) continue;
    const at = path.index(index).child('ephemeral', 'volumeClaimTemplate', 'spec', 'resources');
    yield* warnOfFractions(claim.requests, ['storage'], at.child('requests'));
    yield* warnOfFractions(claim.limits, ['storage'], at.child('limits'));
  }
}
