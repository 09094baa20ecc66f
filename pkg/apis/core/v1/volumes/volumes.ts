/** The rules of a pod's volumes. */
import { checkDnsLabel } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { Volume } from '../types.gen.ts';
import { interfaceNameCauses } from './iscsi.ts';
import { validateVolumeSource } from './volume-source.ts';

export interface CheckedVolumes {
  readonly causes: readonly StatusCause[];
  /** Mountable volumes by name: those without errors. */
  readonly valid: ReadonlyMap<string, Unchecked<Volume>>;
}

/** `path`: that of the list. Only volumes without errors reserve their name. */
export function validateVolumes(volumes: readonly Unchecked<Volume>[] | undefined, path: FieldPath): CheckedVolumes {
  const valid = new Map<string, Unchecked<Volume>>();
  const causes = causesOfElements(path, volumes, (volume, at) => {
    const { name = '', iscsi } = volume;
    const wrong = [
      ...validateVolumeSource(volume, at),
      ...(iscsi === undefined ? NO_CAUSES : interfaceNameCauses(name, iscsi, at)),
      ...volumeNameCauses(name, valid.has(name), at.child('name')),
    ];
    if (wrong.length === 0) valid.set(name, volume);
    return wrong;
  });
  return { causes, valid };
}

function volumeNameCauses(name: string, taken: boolean, path: FieldPath): readonly StatusCause[] {
  if (name === '') return [required(path)];
  return taken ? [duplicateValue(path, name)] : nameCauses(name, path, checkDnsLabel);
}
