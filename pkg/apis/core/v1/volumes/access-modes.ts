/** The rules of access modes in claims and PersistentVolumes. */
import { causesOfEach, forbidden, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

const ONE_POD = 'ReadWriteOncePod';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', ONE_POD];

/** `path`: that of the spec. Causes have no index. Callers check that the list is not empty. */
export function accessModeCauses(accessModes: readonly string[], path: FieldPath): readonly StatusCause[] {
  const unknown = causesOfEach(accessModes, (mode) =>
    ACCESS_MODES.includes(mode) ? NO_CAUSES : [notSupported(path.child('accessModes'), mode, ACCESS_MODES)],
  );
  const isCompatible = !accessModes.includes(ONE_POD) || !accessModes.some((mode) => mode !== ONE_POD && ACCESS_MODES.includes(mode));
  return isCompatible ? unknown : [...unknown, forbidden(path.child('accessModes'), `may not use ${ONE_POD} with other access modes`)];
}
