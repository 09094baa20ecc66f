/** Checks that a write addresses the stored object. */
import { RESOURCE_VERSION_REQUIRED } from '../apimachinery/meta/object-meta.ts';
import { invalidValue } from '../apimachinery/status/causes.ts';
import { badRequest, conflict, invalid, objectModified, type StatusCause, type StatusError } from '../apimachinery/status/status-error.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import type { Revision } from '../storage/backend.ts';
import type { DeleteRequest } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';

export function refuseOtherNamespace({ definition }: Kind, namespace: string, { metadata }: KubernetesObject): void {
  const sent = metadata.namespace ?? '';
  if (!definition.namespaced || sent === '' || sent === namespace) return;
  throw badRequest(`metadata.namespace: "${sent}" is not the namespace of the request, "${namespace}"`);
}

export function refuseOtherName(name: string, { metadata }: KubernetesObject): void {
  const sent = metadata.name ?? '';
  if (sent === '') throw badRequest(`metadata.name: must be given, as in the path: "${name}"`);
  if (sent !== name) throw badRequest(`metadata.name: "${sent}" is not the name in the path, "${name}"`);
}

/** The uid of the body must match; a missing object has none. */
export function refuseOtherUid(
  { definition }: Kind,
  name: string,
  { metadata }: KubernetesObject,
  current: StoredObject | undefined,
): void {
  const { uid = '' } = metadata;
  const stored = current?.object.metadata.uid ?? '';
  if (uid === '' || uid === stored) return;
  throw conflict(
    definition,
    name,
    stored === '' ? `uid ${uid} was sent, the object no longer exists` : `uid ${uid} was sent, the stored object has ${stored}`,
  );
}

/** The resourceVersion must be the stored one. Absent or "0": unconditional, if the kind allows it. */
export function checkResourceVersion({ definition, strategy }: Kind, name: string, object: KubernetesObject, current: Revision): void {
  if (!hasResourceVersion(object)) {
    if (strategy.unconditionalUpdate === true) return;
    throw invalidResourceVersion(definition, name, RESOURCE_VERSION_REQUIRED);
  }
  const { resourceVersion = '' } = object.metadata;
  if (!/^[0-9]+$/.test(resourceVersion)) {
    throw invalidResourceVersion(
      definition,
      name,
      invalidValue('metadata.resourceVersion', resourceVersion, 'must be a resourceVersion of the object'),
    );
  }
  if (Number(resourceVersion) !== current) throw objectModified(definition, name);
}

export const hasResourceVersion = ({ metadata: { resourceVersion = '' } }: KubernetesObject): boolean =>
  resourceVersion !== '' && resourceVersion !== '0';

/** `details.kind` is the resource, since the request is at fault and not the object. */
const invalidResourceVersion = ({ group, resource }: Kind['definition'], name: string, cause: StatusCause): StatusError =>
  invalid({ group, kind: resource }, name, [cause]);

export function checkPreconditions({ definition }: Kind, name: string, { preconditions }: DeleteRequest, current: StoredObject): void {
  // In conflicts of a delete, `details.kind` is the Kind.
  const subject = { group: definition.group, resource: definition.kind };
  const uid = current.object.metadata.uid ?? '';
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the precondition asks for uid ${preconditions.uid}, the stored object has ${uid}: it may have been deleted and recreated`;
    throw conflict(subject, name, why);
  }
  const { resourceVersion } = preconditions;
  if (resourceVersion !== undefined && resourceVersion !== String(current.revision)) {
    const why = `the precondition asks for resourceVersion ${resourceVersion}, the stored object has ${current.revision}: it was modified`;
    throw conflict(subject, name, why);
  }
}
