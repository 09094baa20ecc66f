/** Which migration a component takes part in, and what it says of a controller. */
import type { ComponentDocument } from '../config-document.ts';
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';
import type { ConfigKindName } from '../kinds/config-kind.ts';
import type { LeaderMigrationConfiguration } from '../kinds/types.gen.ts';

/** Of which the resourceLock may be missing: it makes no difference to who runs what. */
export type Migration = Pick<LeaderMigrationConfiguration, 'leaderName' | 'controllerLeaders'>;

/** What a component calls itself in `component`. */
const OWN_NAMES: Readonly<Record<ComponentDocument['kind'], readonly string[]>> = {
  ClusterControllerManagerConfiguration: ['kube-controller-manager', 'cluster-controller-manager'],
  CloudControllerManagerConfiguration: ['cloud-controller-manager'],
};

const ANY = '*';

/** Whether a file says anything in it; else the built-in one counts. */
export const isNamed = ({ leaderName, resourceLock, controllerLeaders }: LeaderMigrationConfiguration): boolean =>
  leaderName !== '' || resourceLock !== '' || controllerLeaders.length > 0;

/** `separate`: of a document of its own, which counts before one inside of `Generic`. Undefined where there is no migration. */
export function migrationInForce({ config: { Generic } }: ComponentDocument, separate?: Migration): Migration | undefined {
  if (!Generic.LeaderElection.leaderElect || !Generic.LeaderMigrationEnabled) return undefined;
  if (separate !== undefined) return separate;
  return isNamed(Generic.LeaderMigration) ? Generic.LeaderMigration : KNOWN_CONTROLLERS.migration.builtIn;
}

export interface MigratedController {
  /** Whether this component may run it. */
  readonly isOwn: boolean;
  readonly component: string;
}

/** Undefined for a controller that does not move: the main lock covers it. The last entry for a name counts; older names mean nothing. */
export function migratedController(migration: Migration, kind: ConfigKindName, name: string): MigratedController | undefined {
  const component = migration.controllerLeaders.findLast((leader) => leader.name === name)?.component;
  if (component === undefined) return undefined;
  const own: readonly string[] = kind === 'LeaderMigrationConfiguration' ? [] : OWN_NAMES[kind];
  return { isOwn: component === ANY || own.includes(component), component };
}
