/** The rules of certificates in a projected volume: trust bundles and pod certificates. */
import { checkAnnotationKey, checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { annotationCauses } from '../../../../apimachinery/meta/object-meta.ts';
import { causesOfEach, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { validateLabelSelector } from '../../../meta/v1/label-selector.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import { writtenPathCauses } from '../paths.ts';
import type { ClusterTrustBundleProjection, PodCertificateProjection } from '../types.gen.ts';
import { missingCauses } from './missing-fields.ts';
import { isKubernetesSigner, validateSignerName } from './signer-name.ts';

export const validateClusterTrustBundle = (source: Unchecked<ClusterTrustBundleProjection>, path: FieldPath): readonly StatusCause[] => [
  ...bundleCauses(source, path),
  ...missingCauses(source, path, 'path'),
  ...writtenPathCauses(source.path ?? '', path.child('path')),
];

/** A projection selects one bundle by name, or all bundles of a signer. An empty name or signer counts as present. */
function bundleCauses(source: Unchecked<ClusterTrustBundleProjection>, path: FieldPath): readonly StatusCause[] {
  const { name, signerName, labelSelector } = source;
  if (name !== undefined && signerName !== undefined) {
    return [invalidValue(path, name, 'only one of name and signerName may be used')];
  }
  if (signerName !== undefined) {
    return [
      ...validateSignerName(signerName, path.child('signerName')),
      ...validateLabelSelector(labelSelector, path.child('labelSelector')),
    ];
  }
  if (name === undefined) return [required(path, 'either name or signerName must be specified')];
  const unselectable =
    labelSelector === undefined
      ? NO_CAUSES
      : [invalidValue(path.child('labelSelector'), '', 'labelSelector must be unset if name is specified')];
  return [...missingCauses(source, path, 'name'), ...nameCauses(name, path.child('name'), checkBundleName), ...unselectable];
}

/** The text before the last colon is the signer and is not checked. */
const checkBundleName = (name: string): readonly string[] =>
  checkDnsSubdomain(name.slice(name.lastIndexOf(':') + 1)).map((why) => `not a valid clustertrustbundlename: ${why}`);

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const HOUR = 3600;
const MIN_EXPIRATION_SECONDS = HOUR;
/** The limit for Kubernetes' own signers. */
const MAX_OWN_EXPIRATION_SECONDS = 24 * HOUR;
const MAX_EXPIRATION_SECONDS = 91 * 24 * HOUR;
/** Fields of a pod certificate that name files. */
export const CERTIFICATE_FILES = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

export function validatePodCertificate(source: Unchecked<PodCertificateProjection>, path: FieldPath): readonly StatusCause[] {
  const { signerName = '', keyType = '', userAnnotations } = source;
  const files = CERTIFICATE_FILES.filter((file) => source[file] !== undefined && source[file] !== '');
  return [
    ...validateSignerName(signerName, path.child('signerName')),
    ...choiceCauses(keyType, path, 'keyType', KEY_TYPES),
    ...expirationCauses(source, path),
    ...(files.length === 0 ? [required(path, `specify at least one of ${CERTIFICATE_FILES.join(', ')}`)] : NO_CAUSES),
    ...files.flatMap((file) => writtenPathCauses(source[file] ?? '', path.child(file))),
    ...(userAnnotations === undefined ? NO_CAUSES : userAnnotationCauses(userAnnotations, path.child('userAnnotations'))),
  ];
}

function expirationCauses(source: Unchecked<PodCertificateProjection>, path: FieldPath): readonly StatusCause[] {
  const { maxExpirationSeconds: seconds, signerName = '' } = source;
  if (seconds === undefined) return NO_CAUSES;
  const max = isKubernetesSigner(signerName) ? MAX_OWN_EXPIRATION_SECONDS : MAX_EXPIRATION_SECONDS;
  if (seconds >= MIN_EXPIRATION_SECONDS && seconds <= max) return NO_CAUSES;
  const bound = seconds < MIN_EXPIRATION_SECONDS ? `>= ${MIN_EXPIRATION_SECONDS}` : `<= ${max}`;
  return [invalidValue(path.child('maxExpirationSeconds'), seconds, `if provided, maxExpirationSeconds must be ${bound}`)];
}

/** Like annotations of an object, but every key needs a domain prefix. An empty key counts as missing. */
function userAnnotationCauses(annotations: Readonly<Record<string, string>>, path: FieldPath): readonly StatusCause[] {
  const { '': unnamed, ...named } = annotations;
  return [
    ...(unnamed === undefined ? NO_CAUSES : [required(path)]),
    ...annotationCauses(unnamed === undefined ? annotations : named, path),
    ...causesOfEach(Object.keys(named), (key) =>
      key.includes('/') || checkAnnotationKey(key).length > 0
        ? NO_CAUSES
        : [invalidValue(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')],
    ),
  ];
}
