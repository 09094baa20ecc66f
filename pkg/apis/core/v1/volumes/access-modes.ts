/** How a volume may be used, in a claim and in a PersistentVolume. */
import { causesOfEach, forbidden, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

const ONE_POD = 'ReadWriteOncePod';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', ONE_POD];

/** `path`: that of the spec. Causes name `accessModes` without an index. That there is one is for the caller to say. */
export function accessModeCauses(accessModes: readonly string[], path: FieldPath): readonly StatusCause[] {
  const unknown = causesOfEach(accessModes, (mode) =>
    ACCESS_MODES.includes(mode) ? NO_CAUSES : [notSupported(path.child('accessModes'), mode, ACCESS_MODES)],
  );
  const alone = !accessModes.includes(ONE_POD) || !accessModes.some((mode) => mode !== ONE_POD && ACCESS_MODES.includes(mode));
  return alone ? unknown : [...unknown, forbidden(path.child('accessModes'), `may not use ${ONE_POD} with other access modes`)];
}
