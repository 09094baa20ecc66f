/** Determines which controllers run, by `Generic.Controllers`, feature gates, requirements and leader migration. */
import type { ComponentDocument } from '../config-document.ts';
import { canonicalNames, controllersOf } from '../kinds/controllers-of.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import { gateState } from './feature-gates.ts';
import type { FeatureGates } from './feature-gates.ts';
import { migratedController, activeMigration } from './active-migration.ts';
import type { Migration } from './active-migration.ts';
import { unmetRequirement } from './requirements.ts';

export interface EnabledController {
  readonly name: string;
  readonly runs: boolean;
  /** The deciding reason, as a clause. */
  readonly why: string;
}

/** Inputs other than the document itself. */
export interface ControllerContext {
  /** Explicitly set gates; others have their defaults. */
  readonly featureGates?: FeatureGates;
  /** A separate LeaderMigrationConfiguration, in the same file or another one. */
  readonly migration?: Migration;
}

/** Excludes controllers that a cloud provider adds. */
export function enabledControllers(document: ComponentDocument, context: ControllerContext = {}): EnabledController[] {
  const decide = controllerDecider(document, context);
  return controllersOf(document.kind).map((controller) => {
    const { runs, why } = decide(controller);
    return { name: controller.name, runs, why };
  });
}

export interface ControllerDecision extends Omit<EnabledController, 'name'> {
  /** Paths of the fields that decided it. */
  readonly decidingPaths: readonly string[];
}

const LIST = 'Generic.Controllers';
const MIGRATION = ['Generic.LeaderMigrationEnabled', 'Generic.LeaderElection.leaderElect', 'Generic.LeaderMigration'];

/** For one document, whose list is parsed once. */
export function controllerDecider(
  document: ComponentDocument,
  context: ControllerContext = {},
): (controller: KnownController) => ControllerDecision {
  const select = listSelector(document);
  return (controller) => {
    const listed = select(controller);
    if (!listed.runs) return listed;
    for (const gate of controller.featureGates) {
      const { isOn, why } = gateState(gate, context.featureGates ?? new Map());
      if (!isOn) return { runs: false, why: `needs the feature gate ${gate}, ${why}`, decidingPaths: [] };
    }
    const need = unmetRequirement(document, controller);
    if (need !== undefined) return { runs: false, ...need };
    return withMigration(document, controller, listed, context.migration);
  };
}

/** The first item that names the controller decides; otherwise `*`, for controllers that are on by default. */
function listSelector({ kind, config }: ComponentDocument): (controller: KnownController) => ControllerDecision {
  const items = config.Generic.Controllers;
  const hasAll = items.includes('*');
  const canonical = canonicalNames(kind);
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = canonical.get(item.startsWith('-') ? item.slice(1) : item);
    if (name !== undefined && !first.has(name)) first.set(name, index);
  }
  const decidingPaths = [LIST];
  return ({ name, enabledByDefault }) => {
    const index = first.get(name);
    const item = index === undefined ? undefined : items[index];
    if (index !== undefined && item !== undefined)
      return { runs: !item.startsWith('-'), why: `${LIST}[${index}] is ${item}`, decidingPaths };
    if (!hasAll) return { runs: false, why: `${LIST} contains neither it nor *`, decidingPaths };
    return enabledByDefault
      ? { runs: true, why: 'on by default', decidingPaths }
      : { runs: false, why: `off by default, and ${LIST} does not name it`, decidingPaths };
  };
}

function withMigration(
  document: ComponentDocument,
  { name }: KnownController,
  listed: ControllerDecision,
  separate?: Migration,
): ControllerDecision {
  const migration = activeMigration(document, separate);
  const migrated = migration === undefined ? undefined : migratedController(migration, document.kind, name);
  if (migration === undefined || migrated === undefined) return listed;
  return migrated.isOwn
    ? { ...listed, why: `${listed.why}; under the lock of the migration, ${migration.leaderName}` }
    : { runs: false, why: `the migration leaves it to ${migrated.component}`, decidingPaths: MIGRATION };
}
