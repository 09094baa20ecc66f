/** A name for every group where it must not be empty. `core` is Kubernetes' own, and no group can be called that. */
export const groupName = (group: string): string => (group === '' ? 'core' : group);
