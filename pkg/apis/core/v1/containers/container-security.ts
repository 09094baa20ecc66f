/** The rules of a container's security context. */
import { invalidValue, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { idCauses, validateAppArmorProfile, validateSeccompProfile, validateWindowsOptions } from '../security-profiles.ts';
import type { SecurityContext } from '../types.gen.ts';

const PROC_MOUNTS = ['Default', 'Unmasked'];

/** `hostUsers`: false if the pod has its own user namespace. */
export function validateSecurityContext(
  context: Unchecked<SecurityContext> | undefined,
  path: FieldPath,
  hostUsers: boolean,
): readonly StatusCause[] {
  if (context === undefined) return NO_CAUSES;
  return [
    ...idCauses(context.runAsUser, path, 'runAsUser'),
    ...idCauses(context.runAsGroup, path, 'runAsGroup'),
    ...procMountCauses(context.procMount, path, hostUsers),
    ...validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')),
    ...escalationCauses(context, path),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
  ];
}

function procMountCauses(procMount: string | undefined, path: FieldPath, hostUsers: boolean): readonly StatusCause[] {
  if (procMount === undefined) return NO_CAUSES;
  const at = path.child('procMount');
  if (!PROC_MOUNTS.includes(procMount)) return [notSupported(at, procMount, PROC_MOUNTS)];
  return hostUsers && procMount === 'Unmasked' ? [invalidValue(at, procMount, '`hostUsers` must be false to use `Unmasked`')] : NO_CAUSES;
}

function escalationCauses(
  { allowPrivilegeEscalation, privileged, capabilities }: Unchecked<SecurityContext>,
  path: FieldPath,
): readonly StatusCause[] {
  if (allowPrivilegeEscalation !== false) return NO_CAUSES;
  const refuse = (what: string) => invalidValue(path, 'object', `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(privileged === true ? [refuse('`privileged` to true')] : NO_CAUSES),
    ...(capabilities?.add?.includes('CAP_SYS_ADMIN') === true ? [refuse('`capabilities.Add` CAP_SYS_ADMIN')] : NO_CAUSES),
  ];
}
