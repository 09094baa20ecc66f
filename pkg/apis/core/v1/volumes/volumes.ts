/** The rules of a pod's volumes. */
import { checkDnsLabel } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { Volume } from '../types.gen.ts';

export interface CheckedVolumes {
  readonly causes: readonly StatusCause[];
  /** By name, what a container may mount. A volume that has errors is not among them. */
  readonly valid: ReadonlyMap<string, Unchecked<Volume>>;
}

/** `path` is that of the list. */
export function validateVolumes(volumes: readonly Unchecked<Volume>[] | undefined, path: FieldPath): CheckedVolumes {
  const valid = new Map<string, Unchecked<Volume>>();
  const causes = causesOfElements(path, volumes, (volume, at) => {
    const { name = '' } = volume;
    const wrong = [...ownNameCauses(name, at.child('name')), ...(valid.has(name) ? [duplicateValue(at.child('name'), name)] : [])];
    if (wrong.length === 0) valid.set(name, volume);
    return wrong;
  });
  return { causes, valid };
}

const ownNameCauses = (name: string, path: FieldPath): readonly StatusCause[] =>
  name === '' ? [required(path)] : nameCauses(name, path, checkDnsLabel);
