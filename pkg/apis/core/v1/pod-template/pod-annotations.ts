/** Annotations of a pod that mean something: older spellings of what became fields, and marks of controllers. */
import { causesOfEach, forbidden, invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { relativePathCauses } from '../paths.ts';
import type { AppArmorProfile, PodSpec, SeccompProfile, Toleration } from '../types.gen.ts';
import { eachContainer } from './each-container.ts';
import { validateTolerations } from './tolerations.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR_OF_CONTAINER = 'container.apparmor.security.beta.kubernetes.io/';

const LOCALHOST = 'localhost/';
const RUNTIME_DEFAULT = 'runtime/default';
const UNCONFINED = 'unconfined';

type Annotations = Readonly<Record<string, string>>;
type Profile = Unchecked<SeccompProfile> | Unchecked<AppArmorProfile>;

/** What `key: value` says, where it is known. `path` is that of the annotations. */
export function validatePodAnnotations(annotations: Annotations, spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const known = Object.entries(annotations).filter(([key]) => key.includes('kubernetes.io/'));
  if (known.length === 0) return NO_CAUSES;
  const names = new Set([...eachContainer(spec, path)].map(([{ name }]) => name));
  return causesOfEach(known, ([key, value]) => annotationCauses(key, value, spec, names, path));
}

function annotationCauses(
  key: string,
  value: string,
  { nodeName = '' }: Unchecked<PodSpec>,
  names: ReadonlySet<string | undefined>,
  path: FieldPath,
): readonly StatusCause[] {
  switch (key) {
    case MIRROR:
      return nodeName === '' ? [invalidValue(path.key(key), value, 'must set spec.nodeName if mirror pod annotation is set')] : NO_CAUSES;
    case TOLERATIONS:
      return value === '' ? NO_CAUSES : tolerationCauses(value, path);
    case DELETION_COST:
      return isInt32(value) ? NO_CAUSES : [invalidValue(path.key(key), value, 'must be a 32bit integer')];
    case SECCOMP_OF_POD:
      return seccompCauses(value, path.child(key));
  }
  if (key.startsWith(SECCOMP_OF_CONTAINER)) return seccompCauses(value, path.child(key));
  return key.startsWith(APP_ARMOR_OF_CONTAINER)
    ? appArmorCauses(key.slice(APP_ARMOR_OF_CONTAINER.length), value, names, path.key(key))
    : NO_CAUSES;
}

function isInt32(text: string): boolean {
  const number = Number(text);
  return /^(?:0|-\d+|[1-9]\d*)$/.test(text) && number >= -(2 ** 31) && number < 2 ** 31;
}

function tolerationCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const tolerations = readTolerations(text);
  return tolerations === undefined
    ? [invalidValue(path, TOLERATIONS, 'must be a JSON list of tolerations')]
    : validateTolerations(tolerations, path.child(TOLERATIONS));
}

const STRINGS = ['key', 'operator', 'value', 'effect'] as const;

function readTolerations(text: string): readonly Unchecked<Toleration>[] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(read) && read.every(isToleration) ? read : undefined;
}

function isToleration(read: unknown): read is Unchecked<Toleration> {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return false;
  const { tolerationSeconds, ...fields }: Readonly<Record<string, unknown>> = { ...read };
  return (
    STRINGS.every((name) => fields[name] === undefined || typeof fields[name] === 'string') &&
    (tolerationSeconds === undefined || Number.isSafeInteger(tolerationSeconds))
  );
}

function seccompCauses(profile: string, path: FieldPath): readonly StatusCause[] {
  if (profile === RUNTIME_DEFAULT || profile === 'docker/default' || profile === UNCONFINED) return NO_CAUSES;
  return profile.startsWith(LOCALHOST)
    ? relativePathCauses(profile.slice(LOCALHOST.length), path)
    : [invalidValue(path, profile, 'must be a valid seccomp profile')];
}

function appArmorCauses(
  container: string,
  profile: string,
  names: ReadonlySet<string | undefined>,
  path: FieldPath,
): readonly StatusCause[] {
  const isProfile = profile === '' || profile === RUNTIME_DEFAULT || profile === UNCONFINED || profile.startsWith(LOCALHOST);
  return [
    ...(names.has(container) ? NO_CAUSES : [invalidValue(path, container, 'container not found')]),
    ...(isProfile ? NO_CAUSES : [invalidValue(path, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}

/** Where a profile is given in both ways, both must say the same. `path` is that of the pod's spec. */
export function validateProfileAnnotations(annotations: Annotations, spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  if (!Object.keys(annotations).some((key) => key.includes('.security.'))) return NO_CAUSES;
  const { securityContext: ofPod, os } = spec;
  return [
    ...agreementCauses(annotations[SECCOMP_OF_POD], ofPod?.seccompProfile, path.child('securityContext', 'seccompProfile'), 'seccomp'),
    ...causesOfEach(eachContainer(spec, path), ([{ name = '', securityContext }, at]) => [
      ...agreementCauses(
        annotations[SECCOMP_OF_CONTAINER + name],
        securityContext?.seccompProfile,
        at.child('securityContext', 'seccompProfile'),
        'seccomp',
      ),
      // A container without a profile has the pod's.
      ...agreementCauses(
        annotations[APP_ARMOR_OF_CONTAINER + name],
        os?.name === 'windows' ? undefined : (securityContext?.appArmorProfile ?? ofPod?.appArmorProfile),
        at.child('securityContext', 'appArmorProfile'),
        'apparmor',
      ),
    ]),
  ];
}

function agreementCauses(
  annotation: string | undefined,
  profile: Profile | undefined,
  path: FieldPath,
  word: string,
): readonly StatusCause[] {
  if (annotation === undefined || profile === undefined) return NO_CAUSES;
  const typeDiffers = [forbidden(path.child('type'), `${word} type in annotation and field must match`)];
  switch (profile.type) {
    case 'Unconfined':
      return annotation === UNCONFINED ? NO_CAUSES : typeDiffers;
    case 'RuntimeDefault':
      return annotation === RUNTIME_DEFAULT || (word === 'seccomp' && annotation === 'docker/default') ? NO_CAUSES : typeDiffers;
    case 'Localhost':
      if (!annotation.startsWith(LOCALHOST)) return typeDiffers;
      return annotation.slice(LOCALHOST.length) === profile.localhostProfile
        ? NO_CAUSES
        : [forbidden(path.child('localhostProfile'), `${word} profile in annotation and field must match`)];
    default:
      return NO_CAUSES;
  }
}
