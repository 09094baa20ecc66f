import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { kindSample, SAMPLE_KINDS, type SampleName } from './kind-samples.ts';

/** The path of every member. */
function pathsIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, `${at}/${name}`))];
}

/** As Kubernetes' own types fill them. */
const ofKubernetes = (kind: string, name: SampleName): unknown =>
  JSON.parse(readFileSync(new URL(`../vectors/samples/${kind.toLowerCase()}.${name}.json`, import.meta.url), 'utf8'));

const KNOWN = ['ControllerRevision', 'CronJob', 'Event', 'PodDisruptionBudget', 'StorageVersion', 'VolumeAttachment'];

describe('samples that follow from a shape', () => {
  it.each(KNOWN)('have the members that Kubernetes gives a full %s', (kind) => {
    expect(pathsIn(kindSample(kind, 'full')).sort()).toEqual(pathsIn(ofKubernetes(kind, 'full')).sort());
  });

  it.each(KNOWN)('are what Kubernetes writes of a %s with nothing but a name', (kind) => {
    expect(kindSample(kind, 'minimal')).toEqual(ofKubernetes(kind, 'minimal'));
  });

  it('are there for every kind', () => {
    for (const { definition } of SAMPLE_KINDS) expect(kindSample(definition.kind, 'realistic')).toMatchObject({ kind: definition.kind });
  });
});
