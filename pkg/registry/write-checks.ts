/** Checks that a write addresses the stored object. */
import { RESOURCE_VERSION_REQUIRED } from '../apimachinery/meta/object-meta.ts';
import { invalidValue } from '../apimachinery/status/causes.ts';
import { badRequest, conflict, invalid, objectModified, type StatusCause, type StatusError } from '../apimachinery/status/status-error.ts';
import { internalGroup } from '../apis/internal-type.ts';
import type { Kind, KubernetesObject } from '../apis/kind.ts';
import type { Revision } from '../storage/backend.ts';
import type { DeleteRequest } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';

export function refuseOtherNamespace({ definition }: Kind, namespace: string, { metadata }: KubernetesObject): void {
  const sent = metadata.namespace ?? '';
  if (!definition.namespaced || sent === '' || sent === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function refuseOtherName(name: string, { metadata }: KubernetesObject): void {
  const sent = metadata.name ?? '';
  if (sent === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (sent !== name) throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
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

/** A patch that creates its object knows no uid. */
export function refuseUid({ definition }: Kind, name: string, { metadata: { uid = '' } }: KubernetesObject): void {
  if (uid === '') return;
  throw conflict(definition, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
}

/** The resourceVersion must be the stored one. Absent or "0": unconditional, if the kind allows it. */
export function checkResourceVersion({ definition, strategy }: Kind, name: string, object: KubernetesObject, current: Revision): void {
  if (!hasResourceVersion(object)) {
    if (strategy.unconditionalUpdate === true) return;
    throw invalidResourceVersion(definition, name, RESOURCE_VERSION_REQUIRED);
  }
  refuseMalformedVersion(definition, name, object);
  if (Number(object.metadata.resourceVersion) !== current) throw objectModified(definition, name);
}

export function refuseMalformedVersion(definition: Kind['definition'], name: string, { metadata }: KubernetesObject): void {
  const { resourceVersion = '' } = metadata;
  if (/^[0-9]*$/.test(resourceVersion)) return;
  const cause = invalidValue('metadata.resourceVersion', resourceVersion, 'must be a resourceVersion of the object');
  throw invalidResourceVersion(definition, name, cause);
}

/** Zeros stand for none. */
export const hasResourceVersion = ({ metadata: { resourceVersion = '' } }: KubernetesObject): boolean => !/^0*$/.test(resourceVersion);

/** `details.kind` is the resource, since the request is at fault and not the object. */
const invalidResourceVersion = ({ group, resource }: Kind['definition'], name: string, cause: StatusCause): StatusError =>
  invalid({ group, kind: resource }, name, [cause]);

export function checkPreconditions(kind: Kind, name: string, { preconditions }: DeleteRequest, current: StoredObject): void {
  if (kind.strategy.termination !== undefined) {
    checkBeforeTermination(kind, name, preconditions, current);
    return;
  }
  // In conflicts of a delete, `details.kind` is the Kind.
  const subject = { group: internalGroup(kind), resource: kind.definition.kind };
  const uid = current.object.metadata.uid ?? '';
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid})`;
    throw conflict(subject, name, `${why}. The object might have been deleted and then recreated`);
  }
  const { resourceVersion } = preconditions;
  if (resourceVersion !== undefined && resourceVersion !== String(current.revision)) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current.revision})`;
    throw conflict(subject, name, `${why}. The object might have been modified`);
  }
}

/** Kubernetes checks these kinds at another place, and in other words. */
function checkBeforeTermination(
  { definition }: Kind,
  name: string,
  { uid, resourceVersion }: DeleteRequest['preconditions'],
  { object, revision }: StoredObject,
): void {
  const differs = (what: string, wanted: string, is: string) =>
    conflict(definition, name, `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${is}`);
  const { uid: storedUid = '' } = object.metadata;
  if (uid !== undefined && uid !== storedUid) throw differs('UID', uid, storedUid);
  if (resourceVersion !== undefined && resourceVersion !== String(revision)) {
    throw differs('ResourceVersion', resourceVersion, String(revision));
  }
}
