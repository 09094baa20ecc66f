import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { VolumeSource } from '../types.gen.ts';
import { validateVolumes } from './volumes.ts';

type Source = Unchecked<VolumeSource>;

/** The reason and the field relative to the volume, such as `Required nfs.path`. */
const causesOf = (source: Source) =>
  validateVolumes([{ name: 'v', ...source }], FieldPath.of('volumes')).causes.map(
    ({ reason, field = '' }) => `${reason.replace('FieldValue', '')} ${field.replace('volumes[0].', '')}`,
  );

type Projection = NonNullable<NonNullable<Source['projected']>['sources']>[number];

const projected = (...sources: readonly Projection[]): Source => ({ projected: { sources } });
const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.name' };
const token = { path: 'token', expirationSeconds: 3600 };
const at = (field: string) => `projected.sources[0].${field}`;

describe('A projected volume', () => {
  it.each<[string, Source]>([
    ['no sources', { projected: {} }],
    ['a source with nothing in it', projected({})],
    [
      'one of each',
      projected(
        { secret: { name: 'S', items: [{ key: 'k', path: 'a' }] } },
        { configMap: { name: 'C' } },
        { downwardAPI: { items: [{ path: 'b', fieldRef }] } },
        { serviceAccountToken: token },
        { clusterTrustBundle: { name: 'bundle', path: 'c' } },
        { podCertificate: { signerName: 'example.com/s', keyType: 'ED25519', keyPath: 'd', certificateChainPath: 'e' } },
      ),
    ],
    [
      'a token at the path of another file',
      projected({ serviceAccountToken: token }, { secret: { name: 's', items: [{ key: 'k', path: 'token' }] } }),
    ],
    ['a token for as long as can be', projected({ serviceAccountToken: { ...token, expirationSeconds: 2 ** 32 } })],
  ])('is right: %s', (_, source) => {
    expect(causesOf(source)).toEqual([]);
  });

  it.each<[string, Source, readonly string[]]>([
    ['a mode', { projected: { defaultMode: 512 } }, ['Invalid projected.defaultMode']],
    ['a Secret without a name', projected({ secret: {} }), [`Required ${at('secret.name')}`]],
    ['a ConfigMap without a name', projected({ configMap: { name: '' } }), [`Required ${at('configMap.name')}`]],
    [
      'a key without anything',
      projected({ secret: { name: 's', items: [{}] } }),
      [`Required ${at('secret.items[0].key')}`, `Required ${at('secret.items[0].path')}`],
    ],
    [
      'a field without anything',
      projected({ downwardAPI: { items: [{}] } }),
      [`Required ${at('downwardAPI.path')}`, `Required ${at('downwardAPI')}`],
    ],
    [
      'a short token',
      projected({ serviceAccountToken: { ...token, expirationSeconds: 599 } }),
      [`Invalid ${at('serviceAccountToken.expirationSeconds')}`],
    ],
    [
      'a long token',
      projected({ serviceAccountToken: { ...token, expirationSeconds: 2n ** 62n } }),
      [`Invalid ${at('serviceAccountToken.expirationSeconds')}`],
    ],
    ['a token without a path', projected({ serviceAccountToken: { expirationSeconds: 600 } }), ['Required projected.path']],
    ['a token outside', projected({ serviceAccountToken: { ...token, path: '../token' } }), ['Invalid projected.path']],
    ['two kinds in one source', projected({ secret: { name: 's' }, configMap: { name: 'c' } }), ['Forbidden projected.sources[0]']],
    [
      'a path twice',
      projected(
        { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
        { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
      ),
      ['Invalid projected'],
    ],
    [
      'a path twice in one source',
      projected({
        downwardAPI: {
          items: [
            { path: 'a', fieldRef },
            { path: 'a', fieldRef },
            { path: 'a', fieldRef },
          ],
        },
      }),
      ['Invalid projected', 'Invalid projected'],
    ],
    [
      'certificates at the path of a key',
      projected(
        { clusterTrustBundle: { name: 'bundle', path: 'a' } },
        { podCertificate: { signerName: 'example.com/s', keyType: 'ED25519', keyPath: 'a', certificateChainPath: 'a' } },
      ),
      ['Invalid projected', 'Invalid projected'],
    ],
  ])('is refused: %s', (_, source, causes) => {
    expect(causesOf(source)).toEqual(causes);
  });
});
