/** Annotations that set security profiles before the fields existed. */
import type { Unchecked } from '../../define-strategy.ts';
import type { AppArmorProfile, SeccompProfile } from './types.gen.ts';

export const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
/** Prefix of the container's name. */
export const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
/** Prefix of the container's name. */
export const APP_ARMOR_OF_CONTAINER = 'container.apparmor.security.beta.kubernetes.io/';

export type Profile = Unchecked<SeccompProfile> | Unchecked<AppArmorProfile>;

const LOCALHOST = 'localhost/';
const NAMED: ReadonlyMap<string, Profile> = new Map([
  ['unconfined', { type: 'Unconfined' }],
  ['runtime/default', { type: 'RuntimeDefault' }],
]);

/** The annotation as a value of the field. Undefined if the field has no such value. */
export const readProfileAnnotation = (text: string): Profile | undefined =>
  text.startsWith(LOCALHOST) ? { type: 'Localhost', localhostProfile: text.slice(LOCALHOST.length) } : NAMED.get(text);

/** Seccomp annotations also have an older name for the runtime's default. */
export const readSeccompAnnotation = (text: string): Profile | undefined =>
  readProfileAnnotation(text === 'docker/default' ? 'runtime/default' : text);
