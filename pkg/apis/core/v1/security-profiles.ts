/** The rules of security fields that pods and containers share. */
import { checkDnsSubdomain } from '../../../apimachinery/meta/names.ts';
import { invalidValue, NO_CAUSES, required, tooLong } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import type { Int64 } from '../../scalars.ts';
import { requiredChoiceCauses } from '../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../meta/v1/name-causes.ts';
import { relativePathCauses } from './paths.ts';
import type { AppArmorProfile, SeccompProfile, WindowsSecurityContextOptions } from './types.gen.ts';

/** For seccomp and AppArmor. */
export const PROFILE_TYPES: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAX_ID = 2 ** 31 - 1;
/** The maximum length of a path on Linux. */
const MAX_PROFILE_BYTES = 4095;
const MAX_GMSA_SPEC_KIB = 64;

/** The rule of a user or group ID. */
export const idCauses = (id: Int64 | undefined, path: FieldPath, field: string): readonly StatusCause[] =>
  id === undefined || isId(id) ? NO_CAUSES : idCausesAt(id, path.child(field));

/** The same for an element of a list. */
export const idCausesAt = (id: Int64, path: FieldPath): readonly StatusCause[] =>
  isId(id) ? NO_CAUSES : [invalidValue(path, id, `must be between 0 and ${MAX_ID}, inclusive`)];

const isId = (id: Int64): boolean => id >= 0 && id <= MAX_ID;

export function validateSeccompProfile(profile: Unchecked<SeccompProfile> | undefined, path: FieldPath): readonly StatusCause[] {
  if (profile === undefined) return NO_CAUSES;
  const { type = '', localhostProfile } = profile;
  return [
    ...typeCauses(type, path, 'seccompProfile'),
    ...presenceCauses(type, localhostProfile, path, 'seccomp'),
    ...(type === 'Localhost' && localhostProfile !== undefined
      ? relativePathCauses(localhostProfile, path.child('localhostProfile'))
      : NO_CAUSES),
  ];
}

export function validateAppArmorProfile(profile: Unchecked<AppArmorProfile> | undefined, path: FieldPath): readonly StatusCause[] {
  if (profile === undefined) return NO_CAUSES;
  const { type = '', localhostProfile } = profile;
  if (!PROFILE_TYPES.includes(type)) return typeCauses(type, path, 'appArmorProfile');
  // Unlike for seccomp, an empty name counts as absent.
  const name = type === 'Localhost' && localhostProfile === '' ? undefined : localhostProfile;
  const causes = [...presenceCauses(type, name, path, 'AppArmor')];
  if (type !== 'Localhost' || name === undefined) return causes;
  const at = path.child('localhostProfile');
  if (name.trim() !== name) causes.push(invalidValue(at, name, 'must not be padded with whitespace'));
  if (Buffer.byteLength(name) > MAX_PROFILE_BYTES) causes.push(tooLong(at, MAX_PROFILE_BYTES));
  return causes;
}

const typeCauses = (type: string, path: FieldPath, field: string): readonly StatusCause[] =>
  requiredChoiceCauses(type, path, 'type', PROFILE_TYPES, `type is required when ${field} is set`);

/** Only `Localhost` profiles have a name, and they need one. */
function presenceCauses(type: string, localhostProfile: string | undefined, path: FieldPath, word: string): readonly StatusCause[] {
  if ((type === 'Localhost') === (localhostProfile !== undefined)) return NO_CAUSES;
  const at = path.child('localhostProfile');
  return localhostProfile === undefined
    ? [required(at, `must be set when ${word} type is Localhost`)]
    : [invalidValue(at, localhostProfile, `can only be set when ${word} type is Localhost`)];
}

/** `hostProcess` is checked for the pod as a whole. */
export function validateWindowsOptions(
  options: Unchecked<WindowsSecurityContextOptions> | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  if (options === undefined) return NO_CAUSES;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  return [
    ...(gmsaCredentialSpecName === undefined
      ? NO_CAUSES
      : nameCauses(gmsaCredentialSpecName, path.child('gmsaCredentialSpecName'), checkDnsSubdomain)),
    ...(gmsaCredentialSpec === undefined ? NO_CAUSES : gmsaSpecCauses(gmsaCredentialSpec, path.child('gmsaCredentialSpec'))),
    ...(runAsUserName === undefined ? NO_CAUSES : nameCauses(runAsUserName, path.child('runAsUserName'), checkWindowsUser)),
  ];
}

function gmsaSpecCauses(spec: string, path: FieldPath): readonly StatusCause[] {
  if (spec === '') return [invalidValue(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  if (Buffer.byteLength(spec) <= MAX_GMSA_SPEC_KIB * 1024) return NO_CAUSES;
  return [invalidValue(path, `${spec.slice(0, 64)}…`, `gmsaCredentialSpec size must be under ${MAX_GMSA_SPEC_KIB} KiB`)];
}

const MAX_DOMAIN_BYTES = 255;
const MAX_USER_BYTES = 104;
const CONTROL = /[\u0000-\u001f\u007f]/;
const NET_BIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_DOMAIN = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const DOTS_AND_SPACES = /^[. ]+$/;
const REFUSED_IN_USER = /["/\\:;|=,+*?<>@[\]]/;

/** Checks `user` or `domain\user` with the limits of Active Directory. */
function checkWindowsUser(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (CONTROL.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\', 3);
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const [first = '', second] = parts;
  const user = second ?? first;
  const wrong: string[] = [];
  if (second !== undefined) {
    if (Buffer.byteLength(first) > MAX_DOMAIN_BYTES) {
      wrong.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN_BYTES + 1} characters`);
    }
    if (!NET_BIOS_DOMAIN.test(first) && !DNS_DOMAIN.test(first)) {
      wrong.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') wrong.push("runAsUserName's User cannot be empty");
  if (Buffer.byteLength(user) > MAX_USER_BYTES) {
    wrong.push(`runAsUserName's User length must not be longer than ${MAX_USER_BYTES} characters`);
  }
  if (DOTS_AND_SPACES.test(user)) wrong.push("runAsUserName's User cannot contain only periods or spaces");
  if (REFUSED_IN_USER.test(user)) wrong.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return wrong;
}
