/** The built-in controllers by the names that kube-controller-manager gives them, and which of them run. */
export const CONTROLLER_NAMES = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'ttl-after-finished-controller',
] as const;
export type ControllerName = (typeof CONTROLLER_NAMES)[number];

/** `*,-namespace-controller`. The first that names a controller decides; without `*` the others do not run. */
export function parseControllers(text: string): ReadonlySet<ControllerName> {
  const parts = text.split(',').map((part) => part.trim());
  const unknown = parts.find((part) => part !== '*' && !CONTROLLER_NAMES.some((name) => part === name || part === `-${name}`));
  if (unknown !== undefined) throw new Error(`there is no controller ${JSON.stringify(unknown)}; there are ${CONTROLLER_NAMES.join(', ')}`);
  return new Set(
    CONTROLLER_NAMES.filter((name) => {
      const decides = parts.find((part) => part === name || part === `-${name}`) ?? (parts.includes('*') ? name : '');
      return decides === name;
    }),
  );
}
