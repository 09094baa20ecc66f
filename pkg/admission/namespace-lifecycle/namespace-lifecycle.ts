/**
 * Nothing is created in a namespace that is being deleted, and the system's own namespaces are not deleted. What a
 * missing namespace means depends on the mode:
 * - `strict`: the write is refused, as by Kubernetes' plugin NamespaceLifecycle;
 * - `implicit`: a create makes the namespace first, as with Kubernetes' plugin NamespaceAutoProvision.
 *
 * The object is valid before its namespace is made, so that a refused create leaves nothing behind.
 */
import type { KubernetesObject } from '../../apis/kind.ts';
import { SYSTEM_NAMESPACES, TERMINATING } from '../../apis/core/v1/namespaces/names.ts';
import { notFound, objectForbidden, type StatusError } from '../../apimachinery/status/status-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

export const NAMESPACE_LIFECYCLE_MODES = ['implicit', 'strict'] as const;
export type NamespaceLifecycleMode = (typeof NAMESPACE_LIFECYCLE_MODES)[number];

/** The Namespaces in the store. A phase is undefined if there is no such Namespace. */
export interface Namespaces {
  /** The phase in the cache, which may be behind. */
  cachedPhase(name: string): string | undefined;
  /** The phase now. */
  phase(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Creates it unless it exists. */
  create(name: string, signal: AbortSignal): Promise<void>;
}

export interface NamespaceLifecycleOptions {
  readonly mode: NamespaceLifecycleMode;
  readonly namespaces: Namespaces;
}

const NAMESPACES = { group: '', resource: 'namespaces' };

export const createNamespaceLifecycle = (options: NamespaceLifecycleOptions): AdmissionPlugin => ({
  name: 'NamespaceLifecycle',
  admit: (request, object) => admit(options, request, object),
  validate: (request) => validate(options, request),
});

function admit(
  { mode, namespaces }: NamespaceLifecycleOptions,
  request: AdmissionRequest,
  object: KubernetesObject,
): KubernetesObject | Promise<KubernetesObject> {
  const { operation, namespace, signal } = request;
  if (namespace === '' || (operation === 'UPDATE' && mode === 'implicit')) return object;
  const cached = namespaces.cachedPhase(namespace);
  if (cached !== undefined && (cached !== TERMINATING || operation === 'UPDATE')) return object;
  // The cache may be behind: the namespace may exist by now, or exist again.
  return namespaces.phase(namespace, signal).then((phase) => {
    if (phase === undefined && mode === 'strict') throw notFound(NAMESPACES, namespace);
    if (phase === TERMINATING && operation === 'CREATE') throw terminating(request, object);
    return object;
  });
}

function validate({ mode, namespaces }: NamespaceLifecycleOptions, request: AdmissionRequest): Promise<void> | undefined {
  const { operation, definition, namespace, name, dryRun, object } = request;
  if (operation === 'DELETE' && definition.kind === 'Namespace' && SYSTEM_NAMESPACES.includes(name)) {
    throw objectForbidden(NAMESPACES, name, 'this namespace may not be deleted');
  }
  if (operation !== 'CREATE' || mode === 'strict' || namespace === '' || dryRun || object === undefined) return undefined;
  if (namespaces.cachedPhase(namespace) !== undefined) return undefined;
  return provide(namespaces, request, object);
}

async function provide(namespaces: Namespaces, request: AdmissionRequest, object: KubernetesObject): Promise<void> {
  const { namespace, signal } = request;
  const phase = await namespaces.phase(namespace, signal);
  if (phase === TERMINATING) throw terminating(request, object);
  if (phase === undefined) await namespaces.create(namespace, signal);
}

function terminating({ definition, namespace }: AdmissionRequest, { metadata }: KubernetesObject): StatusError {
  // A generated name is not known to the client.
  const name = metadata.name || metadata.generateName || 'Unknown';
  return objectForbidden(definition, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ]);
}
