import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';
import { createTimeZones } from '../../../../apimachinery/time/time-zones.ts';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import { createFeatures } from '../../../../apimachinery/features/features.ts';
import type { KubernetesObject } from '../../../kind.ts';
import { strategy } from './strategy.ts';

const KIND = 'VolumeAttachment';
const VOLUME = { persistentVolumeName: 'pv-1' };
const INLINE = { csi: { driver: 'csi.example.com', volumeHandle: 'v1' }, accessModes: ['ReadWriteOnce'] };
const withSpec = (more: JsonObject = {}): JsonObject => ({
  spec: { attacher: 'csi.example.com', nodeName: 'node-1', source: VOLUME, ...more },
});
const withSource = (source: JsonObject): JsonObject => withSpec({ source });
const withInline = (more: JsonObject = {}): JsonObject => withSource({ inlineVolumeSpec: { ...INLINE, ...more } });
const withStatus = (status: JsonObject): JsonObject => ({ ...withSpec(), status });
const inline = (field: string) => `spec.source.inlineVolumeSpec.${field}`;
const realistic = JSON.parse(readFileSync(new URL('./testdata/realistic.json', import.meta.url), 'utf8')) as {
  readonly spec: JsonObject;
  readonly status: JsonObject;
};

describe('A VolumeAttachment', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it('is created without its status, whatever that is', async () => {
    const { causes, object } = await rules.create(KIND, withStatus({ attached: true, attachError: { errorCode: -1 } }));
    expect({ causes, status: object?.['status'] }).toEqual({ causes: [], status: { attached: false } });
  });

  it.each<[string, JsonObject]>([
    ['of a named volume', { spec: realistic.spec }],
    ['by a driver with capitals', withSpec({ attacher: 'CSI.example.com' })],
    ['by a driver with the longest name', withSpec({ attacher: 'a'.repeat(63) })],
    ['of a volume written out', withInline()],
    ['of such a volume that says what it may', withInline({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })],
    ['of such a volume for one pod', withInline({ accessModes: ['ReadWriteOncePod'] })],
  ])('%s is taken, and given back', async (_, body) => {
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    expect(object?.['spec']).toEqual(body['spec']);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['no spec', {}, ['Required spec.attacher', 'Required spec.source', 'Invalid spec.nodeName']],
    ['no attacher', withSpec({ attacher: '' }), ['Required spec.attacher']],
    ['a long attacher', withSpec({ attacher: 'a'.repeat(64) }), ['TooLong spec.attacher']],
    ['an attacher that is no subdomain', withSpec({ attacher: 'csi_example' }), ['Invalid spec.attacher']],
    ['no node', withSpec({ nodeName: '' }), ['Invalid spec.nodeName']],
    ['a node with capitals', withSpec({ nodeName: 'Node' }), ['Invalid spec.nodeName']],
    ['no source', withSource({}), ['Required spec.source']],
    ['two sources', withSource({ ...VOLUME, inlineVolumeSpec: {} }), ['Forbidden spec.source']],
    [
      'an empty volume name',
      withSource({ persistentVolumeName: '' }),
      ['Required spec.source.persistentVolumeName', 'Invalid spec.source.persistentVolumeName'],
    ],
    ['a volume name that is no subdomain', withSource({ persistentVolumeName: 'pv_1' }), ['Invalid spec.source.persistentVolumeName']],
    [
      'nothing about the volume',
      withSource({ inlineVolumeSpec: {} }),
      [`Required ${inline('csi')}`, `Required ${inline('accessModes')}`, 'Required spec.source.inlineVolumeSpec'],
    ],
    ['another volume than one of CSI', withInline({ csi: null, nfs: { server: 's', path: '/' } }), [`Required ${inline('csi')}`]],
    ['a second volume', withInline({ nfs: { server: 's', path: '/' } }), [`Forbidden ${inline('csi')}`]],
    ['a capacity', withInline({ capacity: { storage: '1Gi' } }), [`Forbidden ${inline('capacity')}`]],
    ['a claim', withInline({ claimRef: {} }), [`Forbidden ${inline('claimRef')}`]],
    ['a storage class', withInline({ storageClassName: 'fast' }), [`Forbidden ${inline('storageClassName')}`]],
    [
      'a local volume',
      withSource({ inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], local: { path: '/a' } } }),
      [`Required ${inline('csi')}`, `Required ${inline('nodeAffinity')}`],
    ],
    ['a node affinity', withInline({ nodeAffinity: {} }), [`Forbidden ${inline('nodeAffinity')}`]],
    ['no access modes', withInline({ accessModes: [] }), [`Required ${inline('accessModes')}`]],
    ['an unknown access mode', withInline({ accessModes: ['ReadWriteOnce', 'Read'] }), [`NotSupported ${inline('accessModes')}`]],
    ['one pod among many', withInline({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }), [`Forbidden ${inline('accessModes')}`]],
    [
      'a volume that is not retained',
      withInline({ persistentVolumeReclaimPolicy: 'Delete' }),
      [`Forbidden ${inline('persistentVolumeReclaimPolicy')}`],
    ],
    ['an unknown policy', withInline({ persistentVolumeReclaimPolicy: 'x' }), [`Forbidden ${inline('persistentVolumeReclaimPolicy')}`]],
    ['a block device', withInline({ volumeMode: 'Block' }), [`Forbidden ${inline('volumeMode')}`]],
    [
      'a volume without driver and handle',
      withInline({ csi: {} }),
      [`Required ${inline('csi.driver')}`, `Required ${inline('csi.volumeHandle')}`],
    ],
    ['a long driver', withInline({ csi: { driver: 'a'.repeat(64), volumeHandle: 'v' } }), [`TooLong ${inline('csi.driver')}`]],
    ['a driver that is no subdomain', withInline({ csi: { driver: '-', volumeHandle: 'v' } }), [`Invalid ${inline('csi.driver')}`]],
    [
      'everything at once',
      withSpec({ attacher: '_', nodeName: '_', source: { inlineVolumeSpec: { ...INLINE, claimRef: {}, volumeMode: 'Block' } } }),
      ['Invalid spec.attacher', `Forbidden ${inline('claimRef')}`, `Forbidden ${inline('volumeMode')}`, 'Invalid spec.nodeName'],
    ],
  ])('with %s is refused', async (_, body, causes) => {
    expect((await rules.create(KIND, body)).causes).toEqual(causes);
  });

  it('fills in what a volume leaves out', async () => {
    // Only CSI volumes are accepted, so defaults of other sources are never stored.
    const body = withInline({ hostPath: { path: '/data' } });
    expect(strategy.applyDefaults?.(body as KubernetesObject)).toEqual(withInline({ hostPath: { path: '/data', type: '' } }));
    const complete = withInline() as KubernetesObject;
    expect(strategy.applyDefaults?.(complete)).toBe(complete);
  });

  describe.each(['', 'status'] as const)('on its path "%s"', (subresource) => {
    const setStatus = (status: JsonObject) => rules.update(KIND, withSpec(), withStatus(status), subresource);

    it.each<[string, JsonObject]>([
      ['success', realistic.status],
      [
        'errors',
        {
          attached: false,
          attachError: { time: '2026-03-14T15:09:26Z', message: 'm'.repeat(1024), errorCode: 8 },
          detachError: { time: null, errorCode: 0 },
        },
      ],
      ['as much as may be', { attached: true, attachmentMetadata: { key: 'v'.repeat(262_144 - 3) } }],
    ])('takes a status of %s, and gives it back', async (_, status) => {
      const { causes, object } = await setStatus(status);
      expect(causes).toEqual([]);
      expect(object).toMatchObject({ ...withSpec(), status });
    });

    it('keeps a generateName that a new one may have', async () => {
      const named = (generateName: string): JsonObject => ({ ...withSpec(), metadata: { generateName } });
      expect((await rules.update(KIND, withSpec(), named('good-'), subresource)).causes).toEqual([]);
      expect((await rules.update(KIND, withSpec(), named('Bad_'), subresource)).causes).toEqual(['Invalid metadata.generateName']);
    });

    it('always says whether the volume is attached', async () => {
      expect((await setStatus({})).object?.['status']).toEqual({ attached: false });
    });

    it.each<[string, JsonObject, readonly string[]]>([
      ['too much metadata', { attachmentMetadata: { key: 'v'.repeat(262_144 - 2) } }, ['TooLong status.attachmentMetadata']],
      ['a long attachError', { attachError: { message: 'ü'.repeat(513) } }, ['TooLong status.attachError.message']],
      ['a long detachError', { detachError: { message: 'm'.repeat(1025) } }, ['TooLong status.detachError.message']],
      ['a negative code of attachError', { attachError: { errorCode: -1 } }, ['Invalid status.attachError.errorCode']],
      [
        'a long message and a negative code',
        { detachError: { message: 'm'.repeat(1025), errorCode: -1 } },
        ['TooLong status.detachError.message', 'Invalid status.detachError.errorCode'],
      ],
    ])('refuses a status with %s', async (_, status, causes) => {
      expect((await setStatus(status)).causes).toEqual(causes);
    });
  });

  it('never changes its spec', async () => {
    expect((await rules.update(KIND, withSpec(), withSpec({ nodeName: 'node-2' }))).causes).toEqual(['Invalid spec']);
    expect((await rules.update(KIND, withSpec(), withSource(INLINE_SOURCE))).causes).toEqual(['Invalid spec']);
    expect((await rules.update(KIND, withSpec(), withSpec({ nodeName: '' }))).causes).toEqual(['Invalid spec.nodeName', 'Invalid spec']);
  });

  it('keeps its spec and its metadata on /status, whatever is sent', async () => {
    const sent = { ...withSpec({ nodeName: '' }), status: { attached: true }, metadata: { labels: { a: 'b' } } };
    const { causes, object } = await rules.update(KIND, withSpec(), sent, 'status');
    expect(causes).toEqual([]);
    expect(object).toMatchObject({ ...withSpec(), status: { attached: true } });
    expect(object?.['metadata']).not.toHaveProperty('labels');
  });

  it('is updated by what it was created with', async () => {
    const reordered = { spec: { source: VOLUME, nodeName: 'node-1', attacher: 'csi.example.com' }, status: { attached: true } };
    expect((await rules.update(KIND, withSpec(), reordered)).object).toMatchObject(reordered);
  });

  const context = (...off: Parameters<ReturnType<typeof createFeatures>['isEnabled']>) => ({
    features: createFeatures(new Map(off.map((name) => [name, false]))),
    timeZones: createTimeZones(),
  });
  const stored = (more: JsonObject): KubernetesObject => ({ kind: KIND, apiVersion: 'v', metadata: { name: 'a' }, ...more });

  it('is checked as a new one is, whatever of it is written', () => {
    const old = stored(withSpec({ attacher: 'x_y', source: { persistentVolumeName: 'pv_1' } }));
    const wrong = ['spec.attacher', 'spec.source.persistentVolumeName'];
    expect(strategy.validateUpdate?.(old, old, context('CSIMigration')).map(({ field }) => field)).toEqual(wrong);
    expect(strategy.validateStatusUpdate?.(old, old, context('CSIMigration')).map(({ field }) => field)).toEqual(wrong);
  });

  describe('without CSIMigration', () => {
    let without: Rules;
    beforeAll(async () => {
      without = await openRules({ features: createFeatures(new Map([['CSIMigration', false]])) });
    });
    afterAll(() => without.close());

    it('has its volume named', async () => {
      expect((await without.create(KIND, withInline())).causes).toEqual(['Required spec.source']);
      const { object } = await without.create(KIND, withSource({ ...VOLUME, inlineVolumeSpec: INLINE }));
      expect(object).toMatchObject({ spec: { source: VOLUME } });
    });

    it('keeps a volume that was written out before', () => {
      const before = stored(withInline());
      expect(strategy.dropDisabled?.(before, before, context('CSIMigration'))).toBe(before);
      expect(strategy.dropDisabled?.(before, stored(withSpec()), context('CSIMigration'))).toEqual(stored(withSource({})));
    });
  });

  describe('without MutableCSINodeAllocatableCount', () => {
    const codes = { attachError: { message: 'a', errorCode: 8 }, detachError: { message: 'b', errorCode: 9 } };
    let without: Rules;
    beforeAll(async () => {
      without = await openRules({ features: createFeatures(new Map([['MutableCSINodeAllocatableCount', false]])) });
    });
    afterAll(() => without.close());

    it.each(['', 'status'] as const)('loses the codes of errors on its path "%s"', async (subresource) => {
      const { object } = await without.update(KIND, withSpec(), withStatus(codes), subresource);
      expect(object?.['status']).toEqual({
        attached: false,
        attachError: { time: null, message: 'a' },
        detachError: { time: null, message: 'b' },
      });
    });

    it('keeps them where one is stored', () => {
      const off = context('MutableCSINodeAllocatableCount');
      const sent = stored(withStatus(codes));
      expect(strategy.dropDisabled?.(sent, stored(withStatus({ detachError: { errorCode: 0 } })), off)).toBe(sent);
      expect(strategy.dropDisabled?.(sent, stored(withStatus({ attachError: { message: 'x' } })), off)).not.toEqual(sent);
    });
  });

  it('is what deleting answers with', () => {
    expect(strategy.deleteReturnsObject).toBe(true);
  });
});

const INLINE_SOURCE: JsonObject = { inlineVolumeSpec: INLINE };
