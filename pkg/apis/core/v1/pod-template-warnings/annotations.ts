/** Warnings for annotations that were replaced by fields. */
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { eachContainer } from '../pod-template/each-container.ts';
import { APP_ARMOR_OF_CONTAINER, readProfileAnnotation, SECCOMP_OF_CONTAINER, SECCOMP_OF_POD } from '../profile-annotations.ts';
import type { AppArmorProfile, PodSpec } from '../types.gen.ts';
import { warning } from './warning.ts';

type PodAnnotations = Readonly<Record<string, string>>;

const WITHOUT_EFFECT: readonly (readonly [key: string, why: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const SECCOMP_IS_A_FIELD = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** `path` is that of the annotations. */
export function* warnOfPodAnnotations(annotations: PodAnnotations, path: FieldPath): Generator<string> {
  for (const [key, why] of WITHOUT_EFFECT) {
    if (Object.hasOwn(annotations, key)) yield warning(path.key(key), why);
  }
}

/** Warns of profiles that are set only by an annotation. */
export function* warnOfContainerAnnotations(
  spec: Unchecked<PodSpec>,
  annotations: PodAnnotations,
  specPath: FieldPath,
  path: FieldPath,
): Generator<string> {
  if (!Object.keys(annotations).some((key) => key.includes('.security.'))) return;
  const ofPod = spec.securityContext;
  if (ofPod?.seccompProfile === undefined && Object.hasOwn(annotations, SECCOMP_OF_POD)) {
    yield warning(path.key(SECCOMP_OF_POD), SECCOMP_IS_A_FIELD);
  }
  for (const [{ name = '', securityContext }] of eachContainer(spec, specPath)) {
    const seccomp = SECCOMP_OF_CONTAINER + name;
    if (securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, seccomp)) {
      yield warning(path.key(seccomp), SECCOMP_IS_A_FIELD);
    }
    const appArmor = APP_ARMOR_OF_CONTAINER + name;
    if (securityContext?.appArmorProfile !== undefined || !Object.hasOwn(annotations, appArmor)) continue;
    if (!isSameProfile(annotations[appArmor] ?? '', ofPod?.appArmorProfile)) {
      yield warning(path.key(appArmor), 'deprecated since v1.30; use the "appArmorProfile" field instead');
    }
  }
}

function isSameProfile(annotation: string, profile: Unchecked<AppArmorProfile> | undefined): boolean {
  const annotated = readProfileAnnotation(annotation);
  return annotated !== undefined && annotated.type === profile?.type && annotated.localhostProfile === profile?.localhostProfile;
}
