/** The rules of iSCSI (RFC 7143) and Fibre Channel disks. */
import { invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { FCVolumeSource, ISCSIPersistentVolumeSource, ISCSIVolumeSource } from '../types.gen.ts';
import { missingCauses } from './missing-fields.ts';

const MAX_LUN = 255;
const WRONG_FORM = 'must be valid format';
/** The kubelet derives the name of the interface from the volume's name and the target's address. */
const MAX_INTERFACE_NAME = 64;

/** The three forms of a name (RFC 3720 section 3.2.6.3), by prefix. */
const NAMES: readonly (readonly [start: string, syntax: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\t\n\f\r ]+$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/u],
  ['naa', /^naa.[A-Za-z0-9]{32}$/u],
];

/** The rules for both pod volumes and PersistentVolumes. `wrongStart`: the message for a name of no known form. */
export function validateIscsi(
  source: Unchecked<ISCSIVolumeSource | ISCSIPersistentVolumeSource>,
  path: FieldPath,
  wrongStart = 'must be valid format starting with iqn, eui, or naa',
): readonly StatusCause[] {
  const { iqn = '', initiatorName } = source;
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...missingCauses(source, path, 'targetPortal', 'iqn'),
    ...(iqn === '' ? NO_CAUSES : nodeNameCauses(iqn, path, 'iqn', wrongStart)),
    ...lunCauses(source.lun, path),
    ...(authenticates && source.secretRef === undefined ? [required(path.child('secretRef'))] : NO_CAUSES),
    // In lower case, as in Kubernetes.
    ...(initiatorName === undefined ? NO_CAUSES : nodeNameCauses(initiatorName, path, 'initiatorname', wrongStart)),
  ];
}

export const validateIscsiPersistent = (source: Unchecked<ISCSIPersistentVolumeSource>, path: FieldPath): readonly StatusCause[] =>
  source.secretRef === undefined
    ? validateIscsi(source, path, WRONG_FORM)
    : [...validateIscsi(source, path, WRONG_FORM), ...missingCauses(source.secretRef, path.child('secretRef'), 'name')];

/** `path`: that of the volume. */
export function interfaceNameCauses(name: string, source: Unchecked<ISCSIVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { initiatorName, targetPortal = '' } = source;
  if (initiatorName === undefined || Buffer.byteLength(`${name}:${targetPortal}`) <= MAX_INTERFACE_NAME) return NO_CAUSES;
  const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalidValue(path.child('name'), name, detail)];
}

function nodeNameCauses(name: string, path: FieldPath, field: string, wrongStart: string): readonly StatusCause[] {
  const form = NAMES.find(([start]) => name.startsWith(start));
  if (form === undefined) return [invalidValue(path.child(field), name, wrongStart)];
  return form[1].test(name) ? NO_CAUSES : [invalidValue(path.child(field), name, WRONG_FORM)];
}

export function validateFc(source: Unchecked<FCVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  if (targetWWNs.length === 0) {
    return wwids.length > 0 ? NO_CAUSES : [required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both')];
  }
  return [
    ...(wwids.length > 0
      ? [invalidValue(path.child('targetWWNs'), targetWWNs.join(','), 'targetWWNs and wwids can not be specified simultaneously')]
      : NO_CAUSES),
    ...(lun === undefined ? [required(path.child('lun'), 'lun is required if targetWWNs is specified')] : lunCauses(lun, path)),
  ];
}

const lunCauses = (lun: number | undefined, path: FieldPath): readonly StatusCause[] =>
  lun === undefined || (lun >= 0 && lun <= MAX_LUN)
    ? NO_CAUSES
    : [invalidValue(path.child('lun'), lun, `must be between 0 and ${MAX_LUN}, inclusive`)];
