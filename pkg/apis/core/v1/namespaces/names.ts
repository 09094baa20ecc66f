/** Words of the Namespace kind that other code uses too. */

export const ACTIVE = 'Active';
export const TERMINATING = 'Terminating';

/** The label that holds the name. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';

/** In `spec.finalizers` until the namespace was emptied. */
export const CONTENT_FINALIZER = 'kubernetes';

/** There from the first start, and never deleted. */
export const SYSTEM_NAMESPACES: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
