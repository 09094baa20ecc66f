/** The rules of CSI volumes in pods and PersistentVolumes. */
import { checkDnsLabel, checkDnsSubdomain, checkDnsSubdomainCaseless } from '../../../../apimachinery/meta/names.ts';
import { NO_CAUSES, required, tooLong } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { CSIPersistentVolumeSource, CSIVolumeSource, SecretReference } from '../types.gen.ts';
import { missingCauses } from './missing-fields.ts';

const MAX_DRIVER_NAME = 63;
/** Secrets of a PersistentVolume in Kubernetes' order. Kubernetes does not check nodeStageSecretRef. */
const SECRETS = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

/** Upper-case letters are allowed. */
export function validateCsiDriverName(name = '', path: FieldPath): readonly StatusCause[] {
  if (name === '') return [required(path)];
  return [
    ...(Buffer.byteLength(name) > MAX_DRIVER_NAME ? [tooLong(path, MAX_DRIVER_NAME)] : NO_CAUSES),
    ...nameCauses(name, path, checkDnsSubdomainCaseless),
  ];
}

export function validateCsi(source: Unchecked<CSIVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const ofDriver = validateCsiDriverName(source.driver, path.child('driver'));
  if (source.nodePublishSecretRef === undefined) return ofDriver;
  const { name = '' } = source.nodePublishSecretRef;
  // As in Kubernetes, the path of an invalid name is one level up.
  const ofSecret =
    name === '' ? [required(path.child('nodePublishSecretRef', 'name'))] : nameCauses(name, path.child('name'), checkDnsSubdomain);
  return [...ofDriver, ...ofSecret];
}

/** For a PersistentVolumeSpec, including a VolumeAttachment's `inlineVolumeSpec`. `path`: that of `csi`. */
export function validateCsiPersistentVolumeSource(source: Unchecked<CSIPersistentVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const causes = [...validateCsiDriverName(source.driver, path.child('driver')), ...missingCauses(source, path, 'volumeHandle')];
  for (const field of SECRETS) {
    const secret = source[field];
    if (secret !== undefined) causes.push(...secretReferenceCauses(secret, path.child(field)));
  }
  return causes;
}

function secretReferenceCauses(secret: Unchecked<SecretReference>, path: FieldPath): readonly StatusCause[] {
  const { name = '', namespace = '' } = secret;
  const [ofName, ofNamespace] = [path.child('name'), path.child('namespace')];
  return [
    ...(name === '' ? [required(ofName)] : nameCauses(name, ofName, checkDnsSubdomain)),
    ...(namespace === '' ? [required(ofNamespace)] : nameCauses(namespace, ofNamespace, checkDnsLabel)),
  ];
}
