/** Determines which leader migration applies to a component and its controllers. */
import type { ComponentDocument } from '../config-document.ts';
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';
import type { ConfigKindName } from '../kinds/config-kind.ts';
import type { LeaderMigrationConfiguration } from '../kinds/types.gen.ts';

/** Without `resourceLock`, which does not affect who runs what. */
export type Migration = Pick<LeaderMigrationConfiguration, 'leaderName' | 'controllerLeaders'>;

/** The names of a component in the field `component`. */
const OWN_NAMES: Readonly<Record<ComponentDocument['kind'], readonly string[]>> = {
  ClusterControllerManagerConfiguration: ['kube-controller-manager', 'cluster-controller-manager'],
  CloudControllerManagerConfiguration: ['cloud-controller-manager'],
};

const ANY = '*';

/** Whether the file configures a migration; otherwise the built-in one applies. */
export const isConfigured = ({ leaderName, resourceLock, controllerLeaders }: LeaderMigrationConfiguration): boolean =>
  leaderName !== '' || resourceLock !== '' || controllerLeaders.length > 0;

/** `separate`: a migration in its own document, which has precedence. Undefined if there is no migration. */
export function activeMigration({ config: { Generic } }: ComponentDocument, separate?: Migration): Migration | undefined {
  if (!Generic.LeaderElection.leaderElect || !Generic.LeaderMigrationEnabled) return undefined;
  if (separate !== undefined) return separate;
  return isConfigured(Generic.LeaderMigration) ? Generic.LeaderMigration : KNOWN_CONTROLLERS.migration.builtIn;
}

/** Undefined if the controller does not migrate. `isOwn`: this component may run it. The last entry counts. */
export function migratedController(
  migration: Migration,
  kind: ConfigKindName,
  name: string,
): { readonly isOwn: boolean; readonly component: string } | undefined {
  const component = migration.controllerLeaders.findLast((leader) => leader.name === name)?.component;
  if (component === undefined) return undefined;
  const own: readonly string[] = kind === 'LeaderMigrationConfiguration' ? [] : OWN_NAMES[kind];
  return { isOwn: component === ANY || own.includes(component), component };
}
