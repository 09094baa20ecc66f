/**
 * Admission: a chain of plugins that may change or refuse a write after it was decoded and before it is stored. All
 * plugins first may change the object, in a fixed order. After validation, all of them may refuse it.
 *
 * Not in here: the rules of a kind (apis), permission (authorization), storage (registry).
 */
import type { KubernetesObject, ResourceDefinition } from '../apis/kind.ts';
import type { UserInfo } from '../authentication/authenticator.ts';

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly definition: ResourceDefinition;
  /** The written subresource, such as `status`. Empty: the main path. */
  readonly subresource: string;
  readonly namespace: string;
  /** Empty while a name is still to be generated. */
  readonly name: string;
  /** Absent on DELETE. */
  readonly object: KubernetesObject | undefined;
  /** Absent on CREATE. */
  readonly stored: KubernetesObject | undefined;
  /** Who writes. Absent: the server itself. */
  readonly user?: UserInfo | undefined;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** A plugin may run several times for one request, because a write that lost a race runs again. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Returns the object, changed or not. Throws StatusError to refuse. Not called on DELETE. */
  readonly admit?: (request: AdmissionRequest, object: KubernetesObject) => Promise<KubernetesObject> | KubernetesObject;
  /** Throws StatusError to refuse. */
  readonly validate?: (request: AdmissionRequest) => Promise<void> | undefined;
}

export interface AdmissionChain {
  /** Names of the plugins, in order. */
  readonly plugins: readonly string[];
  admit(request: AdmissionRequest, object: KubernetesObject): Promise<KubernetesObject>;
  validate(request: AdmissionRequest): Promise<void>;
}

export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  return {
    plugins: plugins.map(({ name }) => name),
    async admit(request, object) {
      let admitted = object;
      for (const plugin of plugins) admitted = (await plugin.admit?.({ ...request, object: admitted }, admitted)) ?? admitted;
      return admitted;
    },
    async validate(request) {
      for (const plugin of plugins) await plugin.validate?.(request);
    },
  };
}
