/** Annotations of a pod that confined it and its containers before there were fields for it. */
import type { Unchecked } from '../../define-strategy.ts';
import type { AppArmorProfile, SeccompProfile } from './types.gen.ts';

export const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
/** The name of the container follows. */
export const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
/** The name of the container follows. */
export const APP_ARMOR_OF_CONTAINER = 'container.apparmor.security.beta.kubernetes.io/';

export type Profile = Unchecked<SeccompProfile> | Unchecked<AppArmorProfile>;

const LOCALHOST = 'localhost/';
const NAMED: ReadonlyMap<string, Profile> = new Map([
  ['unconfined', { type: 'Unconfined' }],
  ['runtime/default', { type: 'RuntimeDefault' }],
]);

/** What such an annotation says, in the words of the field. Undefined: nothing that the field can say. */
export const readProfileAnnotation = (text: string): Profile | undefined =>
  text.startsWith(LOCALHOST) ? { type: 'Localhost', localhostProfile: text.slice(LOCALHOST.length) } : NAMED.get(text);

/** Seccomp knew the runtime's default by an older name too. */
export const readSeccompAnnotation = (text: string): Profile | undefined =>
  readProfileAnnotation(text === 'docker/default' ? 'runtime/default' : text);
