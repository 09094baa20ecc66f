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
type Bundle = NonNullable<Projection['clusterTrustBundle']>;
type Certificate = NonNullable<Projection['podCertificate']>;

const ofBundle = (clusterTrustBundle: Bundle) => inside(causesOf({ projected: { sources: [{ clusterTrustBundle }] } }));
const ofCertificate = (podCertificate: Certificate) => inside(causesOf({ projected: { sources: [{ podCertificate }] } }));
const inside = (causes: readonly string[]) => causes.map((cause) => cause.replace('projected.sources[0].', ''));

describe('Trusted certificates in a projected volume', () => {
  it.each<[string, Bundle]>([
    ['by name', { name: 'a.b', path: 'ca.pem' }],
    ['by name, of a signer', { name: 'example.com:s:a', path: 'ca.pem' }],
    ['by signer', { signerName: 'example.com/s', path: 'ca.pem' }],
    ['by signer and labels', { signerName: 'example.com/s', labelSelector: { matchLabels: { a: 'b' } }, path: 'ca.pem' }],
  ])('are right: %s', (_, bundle) => {
    expect(ofBundle(bundle)).toEqual([]);
  });

  it.each<[string, Bundle, readonly string[]]>([
    ['nothing', {}, ['Required clusterTrustBundle', 'Required clusterTrustBundle.path']],
    ['a name and a signer', { name: 'a', signerName: 'example.com/s', path: 'p' }, ['Invalid clusterTrustBundle']],
    ['an empty name', { name: '', path: 'p' }, ['Required clusterTrustBundle.name', 'Invalid clusterTrustBundle.name']],
    ['a wrong name', { name: 'example.com:s:A', path: 'p' }, ['Invalid clusterTrustBundle.name']],
    ['a name and labels', { name: 'a', labelSelector: {}, path: 'p' }, ['Invalid clusterTrustBundle.labelSelector']],
    ['an empty signer', { signerName: '', path: 'p' }, ['Required clusterTrustBundle.signerName']],
    [
      'a signer and wrong labels',
      { signerName: 'example.com/s', labelSelector: { matchLabels: { 'a b': '' } }, path: 'p' },
      ['Invalid clusterTrustBundle.labelSelector.matchLabels'],
    ],
    ['a path outside', { name: 'a', path: '../p' }, ['Invalid clusterTrustBundle.path']],
  ])('are refused: %s', (_, bundle, causes) => {
    expect(ofBundle(bundle)).toEqual(causes);
  });
});

describe('The certificate of a pod', () => {
  const right: Certificate = { signerName: 'example.com/s', keyType: 'ECDSAP256', credentialBundlePath: 'a.pem' };

  it.each<[string, Certificate]>([
    ['without a time', right],
    ['for an hour', { ...right, maxExpirationSeconds: 3600 }],
    ['for 91 days', { ...right, maxExpirationSeconds: 7_862_400 }],
    ['for a day, of a signer of Kubernetes’ own', { ...right, signerName: 'kubernetes.io/s', maxExpirationSeconds: 86_400 }],
    ['with annotations', { ...right, userAnnotations: { 'Example.com/a': 'any text' } }],
  ])('is right: %s', (_, certificate) => {
    expect(ofCertificate(certificate)).toEqual([]);
  });

  it.each<[string, Certificate, readonly string[]]>([
    ['nothing', {}, ['Required podCertificate.signerName', 'NotSupported podCertificate.keyType', 'Required podCertificate']],
    ['an unknown kind of key', { ...right, keyType: 'RSA1024' }, ['NotSupported podCertificate.keyType']],
    ['less than an hour', { ...right, maxExpirationSeconds: 3599 }, ['Invalid podCertificate.maxExpirationSeconds']],
    ['more than 91 days', { ...right, maxExpirationSeconds: 7_862_401 }, ['Invalid podCertificate.maxExpirationSeconds']],
    [
      'more than a day, of a signer of Kubernetes’ own',
      { ...right, signerName: 'a.kubernetes.io/s', maxExpirationSeconds: 86_401 },
      ['Invalid podCertificate.maxExpirationSeconds'],
    ],
    [
      'paths outside',
      { ...right, credentialBundlePath: '/a', keyPath: '../b', certificateChainPath: '..c' },
      ['Invalid podCertificate.credentialBundlePath', 'Invalid podCertificate.keyPath', 'Invalid podCertificate.certificateChainPath'],
    ],
    ['annotations of nobody', { ...right, userAnnotations: { a: '' } }, ['Invalid podCertificate.userAnnotations']],
    ['an annotation without a key', { ...right, userAnnotations: { '': 'a' } }, ['Required podCertificate.userAnnotations']],
    ['wrong annotations of nobody', { ...right, userAnnotations: { 'a b': '' } }, ['Invalid podCertificate.userAnnotations']],
    ['wrong annotations', { ...right, userAnnotations: { 'example.com/a b': '' } }, ['Invalid podCertificate.userAnnotations']],
    [
      'too many annotations',
      { ...right, userAnnotations: { 'example.com/a': 'x'.repeat(256 * 1024) } },
      ['TooLong podCertificate.userAnnotations'],
    ],
  ])('is refused: %s', (_, certificate, causes) => {
    expect(ofCertificate(certificate)).toEqual(causes);
  });
});
