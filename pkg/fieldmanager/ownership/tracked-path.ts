/** What a write can make anybody own. */
import { isView } from '../../apis/kind-view.ts';
import type { Kind, RenamedField, ResourceDefinition, StatusRules, Strategy } from '../../apis/kind.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { type ElementNames, elementNames } from '../fields/rename-fields.ts';

/** One of the paths that an object of a kind is written by. */
export interface TrackedPath {
  readonly shape: ObjectShape;
  /** `<group>/<version>` */
  readonly apiVersion: string;
  /** The other versions of the same objects. Fields that are owned in any but these are nobody's. */
  readonly otherVersions: ReadonlyMap<string, VersionNames>;
  /** What a write to this path cannot set, whatever is sent: nobody comes to own it here, or what is below it. */
  readonly reset: FieldSet;
}

/** How another version calls the fields of the object itself; those that are not named it calls the same. */
export interface VersionNames {
  readonly fromOther: ElementNames;
  readonly toOther: ElementNames;
}

export interface TrackedPaths {
  readonly create: TrackedPath;
  readonly update: TrackedPath;
  readonly status: TrackedPath;
}

/** What of a kind says what is tracked of its objects. */
export interface TrackedKind extends Pick<Kind, 'shape' | 'views'> {
  readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion'>;
  readonly strategy: Pick<Strategy, 'status'>;
}

export function trackedPaths(kind: TrackedKind): TrackedPaths {
  const { definition, shape, strategy } = kind;
  const otherVersions = otherVersionsOf(kind);
  const path = (...reset: readonly string[]): TrackedPath => ({
    shape,
    apiVersion: definition.apiVersion,
    otherVersions,
    reset: FieldSet.of(...reset.map((name) => [fieldElement(name)])),
  });
  const { status } = strategy;
  return {
    create: path(...(status?.resetOnCreate === true ? ['status'] : [])),
    update: path(...(status?.keptByMainUpdate === true ? ['status'] : [])),
    status: path(...(status === undefined ? [] : KEPT_BY_STATUS[status.keptByStatusUpdate])),
  };
}

const KEPT_BY_STATUS: Readonly<Record<StatusRules['keptByStatusUpdate'], readonly string[]>> = {
  spec: ['spec'],
  'spec-and-metadata': ['spec', 'metadata'],
};

/** Of a kind its views, of a view its kind. */
function otherVersionsOf(kind: TrackedKind): ReadonlyMap<string, VersionNames> {
  const views = (kind.views ?? []).map(
    ({ definition, renamed }) => [definition.apiVersion, namesBetween(renamed, 'name', 'stored')] as const,
  );
  const stored = isView(kind) ? [[kind.stored.definition.apiVersion, namesBetween(kind.renamed, 'stored', 'name')] as const] : [];
  return new Map([...views, ...stored]);
}

function namesBetween(renamed: readonly RenamedField[], other: keyof RenamedField, own: keyof RenamedField): VersionNames {
  return {
    fromOther: elementNames(renamed.map((field) => [field[other], field[own]])),
    toOther: elementNames(renamed.map((field) => [field[own], field[other]])),
  };
}
