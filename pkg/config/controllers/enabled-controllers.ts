/** Which controllers run, and why: the list `Generic.Controllers`, feature gates, what else a controller needs, and leader migration. */
import type { ComponentDocument } from '../config-document.ts';
import { canonicalNames, controllersOf } from '../kinds/controllers-of.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import { gateState } from './feature-gates.ts';
import type { FeatureGates } from './feature-gates.ts';
import { migratedController, migrationInForce } from './migration-in-force.ts';
import type { Migration } from './migration-in-force.ts';
import { unmetNeed } from './needs.ts';

export interface EnabledController {
  readonly name: string;
  readonly runs: boolean;
  /** Half a sentence: what decided it. */
  readonly why: string;
}

/** What decides beside the document itself. */
export interface ControllerSurroundings {
  /** Those that were set; others have their defaults. */
  readonly featureGates?: FeatureGates;
  /** A LeaderMigrationConfiguration of its own, in the same file or another one. */
  readonly migration?: Migration;
}

/** Controllers that a cloud's provider adds are not known. */
export function enabledControllers(document: ComponentDocument, around: ControllerSurroundings = {}): EnabledController[] {
  const decide = decider(document, around);
  return controllersOf(document.kind).map((controller) => {
    const { runs, why } = decide(controller);
    return { name: controller.name, runs, why };
  });
}

export interface Decision extends Omit<EnabledController, 'name'> {
  /** Paths of the fields that decided it. */
  readonly restsOn: readonly string[];
}

const LIST = 'Generic.Controllers';
const MIGRATION = ['Generic.LeaderMigrationEnabled', 'Generic.LeaderElection.leaderElect', 'Generic.LeaderMigration'];

/** Of one document, whose list is read once. */
export function decider(document: ComponentDocument, around: ControllerSurroundings = {}): (controller: KnownController) => Decision {
  const select = selection(document);
  return (controller) => {
    const listed = select(controller);
    if (!listed.runs) return listed;
    for (const gate of controller.featureGates) {
      const { isOn, why } = gateState(gate, around.featureGates ?? new Map());
      if (!isOn) return { runs: false, why: `needs the feature gate ${gate}, ${why}`, restsOn: [] };
    }
    const need = unmetNeed(document, controller);
    if (need !== undefined) return { runs: false, ...need };
    return underMigration(document, controller, listed, around.migration);
  };
}

/** The first item that names it decides; else `*`, for those that are on by default. */
function selection({ kind, config }: ComponentDocument): (controller: KnownController) => Decision {
  const items = config.Generic.Controllers;
  const hasAll = items.includes('*');
  const canonical = canonicalNames(kind);
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = canonical.get(item.startsWith('-') ? item.slice(1) : item);
    if (name !== undefined && !first.has(name)) first.set(name, index);
  }
  const restsOn = [LIST];
  return ({ name, enabledByDefault }) => {
    const index = first.get(name);
    const item = index === undefined ? undefined : items[index];
    if (index !== undefined && item !== undefined) return { runs: !item.startsWith('-'), why: `${LIST}[${index}] is ${item}`, restsOn };
    if (!hasAll) return { runs: false, why: `${LIST} has neither it nor *`, restsOn };
    return enabledByDefault
      ? { runs: true, why: 'on by default', restsOn }
      : { runs: false, why: `off by default, and ${LIST} does not name it`, restsOn };
  };
}

function underMigration(document: ComponentDocument, { name }: KnownController, listed: Decision, separate?: Migration): Decision {
  const migration = migrationInForce(document, separate);
  const migrated = migration === undefined ? undefined : migratedController(migration, document.kind, name);
  if (migration === undefined || migrated === undefined) return listed;
  return migrated.isOwn
    ? { ...listed, why: `${listed.why}; under the lock of the migration, ${migration.leaderName}` }
    : { runs: false, why: `the migration leaves it to ${migrated.component}`, restsOn: MIGRATION };
}
