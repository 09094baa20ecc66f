/** The rules of known pod annotations: predecessors of fields, and annotations for controllers. */
import { causesOfEach, forbidden, invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { relativePathCauses } from '../paths.ts';
import {
  APP_ARMOR_OF_CONTAINER,
  type Profile,
  readProfileAnnotation,
  readSeccompAnnotation,
  SECCOMP_OF_CONTAINER,
  SECCOMP_OF_POD,
} from '../profile-annotations.ts';
import { PROFILE_TYPES } from '../security-profiles.ts';
import type { PodSpec, Toleration } from '../types.gen.ts';
import { eachContainer } from './each-container.ts';
import { validateTolerations } from './tolerations.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

type Annotations = Readonly<Record<string, string>>;

/** Checks the values of known annotations. `path`: that of the annotations. */
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

function seccompCauses(text: string, path: FieldPath): readonly StatusCause[] {
  const profile = readSeccompAnnotation(text);
  if (profile === undefined) return [invalidValue(path, text, 'must be a valid seccomp profile')];
  return profile.localhostProfile === undefined ? NO_CAUSES : relativePathCauses(profile.localhostProfile, path);
}

function appArmorCauses(
  container: string,
  profile: string,
  names: ReadonlySet<string | undefined>,
  path: FieldPath,
): readonly StatusCause[] {
  const isProfile = profile === '' || readProfileAnnotation(profile) !== undefined;
  return [
    ...(names.has(container) ? NO_CAUSES : [invalidValue(path, container, 'container not found')]),
    ...(isProfile ? NO_CAUSES : [invalidValue(path, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}

/** An annotation and a field that both set a profile must agree. `path`: that of the pod's spec. */
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
      // A container without a profile inherits the pod's.
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
  word: 'seccomp' | 'apparmor',
): readonly StatusCause[] {
  const { type = '', localhostProfile } = profile ?? {};
  // An unknown type has its own cause.
  if (annotation === undefined || !PROFILE_TYPES.includes(type)) return NO_CAUSES;
  const annotated = word === 'seccomp' ? readSeccompAnnotation(annotation) : readProfileAnnotation(annotation);
  if (annotated?.type !== type) return [forbidden(path.child('type'), `${word} type in annotation and field must match`)];
  return type !== 'Localhost' || annotated.localhostProfile === localhostProfile
    ? NO_CAUSES
    : [forbidden(path.child('localhostProfile'), `${word} profile in annotation and field must match`)];
}
