/** The kinds as a client sees them: the paths of the resource API, a small valid object, and a valid change to it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { SYSTEM_NAMESPACES } from '../../pkg/apis/core/v1/namespaces/names.ts';
import type { Kind } from '../../pkg/apis/kind.ts';
import { createBootstrapObjects } from '../../pkg/controllers/flowcontrol/bootstrap-objects.ts';
import { createBootstrapPolicy } from '../../pkg/controllers/rbac/bootstrap-policy.ts';
import { folderOf, SAMPLE_KINDS } from './kind-samples.ts';

export interface KindCase {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** A subresource named by the specification. */
  readonly statusSubresource: boolean;
  readonly deleteReturnsObject: boolean;
  /** A delete that names no propagation policy leaves the object, with a finalizer. */
  readonly orphansByDefault: boolean;
  /** A delete marks it, and it goes a moment later. */
  readonly terminates: boolean;
  /** A PUT of an object that does not exist creates it. */
  readonly putCreates: boolean;
  /** A PUT without resourceVersion is taken. */
  readonly putWithoutVersion: boolean;
  /** What `metadata.generation` is after a create that sent none, and after a change by `change`. */
  readonly generations: readonly [number | undefined, number | undefined];
  /** Names of objects that the server makes itself. */
  readonly madeByServer: readonly string[];
  readonly sample: (name: string, namespace: string) => SampleObject;
  /** The same object with another accepted value in it; never the same twice in a row for different `step`. */
  readonly change: (object: SampleObject, step: number) => SampleObject;
  /** Of a kind whose status only `/status` writes: one that is accepted. */
  readonly status: JsonObject | undefined;
  /**
   * The cells of the sample in its table. `{age}`: how long ago it was created. `{created}`: when. `{time}`: how long
   * ago a time was that stands in it.
   */
  readonly columns: (name: string) => readonly TableColumn[];
}

export interface TableColumn {
  readonly name: string;
  readonly cell: JsonValue;
  /** Shown in wide output only. */
  readonly wide: boolean;
}

/** `testdata/case.json` in a kind's folder. docs/adding-a-kind.md explains it. */
interface CaseFile {
  readonly object: JsonObject;
  readonly change: JsonObject;
  readonly status?: JsonObject;
  readonly countsGenerations: boolean;
  readonly putCreates: boolean;
  readonly putWithoutVersion: boolean;
  readonly columns: JsonObject;
  readonly wide: readonly string[];
}

export interface SampleObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly [field: string]: unknown;
}

type PathNames = Pick<KindCase, 'group' | 'apiVersion' | 'resource' | 'namespaced'>;

/** The path of the kind's API version: `/api/v1` of the group without a name. */
export const versionPath = ({ group, apiVersion }: Pick<PathNames, 'group' | 'apiVersion'>): string =>
  `/${group === '' ? 'api' : 'apis'}/${apiVersion}`;
export const everywherePath = (kind: PathNames): string => `${versionPath(kind)}/${kind.resource}`;
export const collectionPath = (kind: PathNames, namespace: string): string =>
  kind.namespaced ? `${versionPath(kind)}/namespaces/${namespace}/${kind.resource}` : everywherePath(kind);
export const itemPath = (kind: PathNames, namespace: string, name: string): string => `${collectionPath(kind, namespace)}/${name}`;
/** What to DELETE so that the object is gone at once. */
export const removalPath = (kind: KindCase, namespace: string, name: string): string =>
  `${itemPath(kind, namespace, name)}${kind.orphansByDefault ? '?propagationPolicy=Background' : ''}`;
/** The `/watch/` form of any of the paths above. */
export const watchPath = (kind: PathNames, path: string): string => `${versionPath(kind)}/watch${path.slice(versionPath(kind).length)}`;

const readCase = (kind: string): CaseFile =>
  JSON.parse(readFileSync(path.join(folderOf(kind).folder, 'testdata/case.json'), 'utf8')) as CaseFile;

/** A copy with other texts. `"{step}"` alone becomes a number. */
function filledIn<T>(template: T, values: { readonly name?: string; readonly namespace?: string; readonly step?: number }): T {
  const { name = '', namespace = '', step = 0 } = values;
  const text = JSON.stringify(template)
    .replaceAll('"{step}"', String(100 + step))
    .replaceAll('{step}', String(step))
    .replaceAll('{name}', name)
    .replaceAll('{namespace}', namespace);
  return JSON.parse(text) as T;
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge patch that removes nothing. */
function merged(value: unknown, patch: JsonObject): JsonObject {
  const members = Object.entries(patch).map(([name, member]): [string, JsonValue] => [
    name,
    isObject(member) ? merged(isObject(value) ? value[name] : undefined, member) : (member ?? null),
  ]);
  return { ...(isObject(value) ? value : {}), ...Object.fromEntries(members) };
}

function bootstrapNames(): Readonly<Record<string, readonly string[]>> {
  const names: Record<string, string[]> = {};
  const policy = createBootstrapPolicy(DEFAULT_GROUP_SUFFIX);
  for (const { kind, metadata } of [...policy.clusterroles, ...policy.roles, ...policy.clusterrolebindings, ...policy.rolebindings]) {
    (names[kind] ??= []).push(metadata.name ?? '');
  }
  for (const { object } of createBootstrapObjects(DEFAULT_GROUP_SUFFIX)) (names[object.kind] ??= []).push(object.metadata.name ?? '');
  return names;
}

/** The names of objects that the server makes by itself, by kind. */
const MADE_BY_SERVER: Readonly<Record<string, readonly string[]>> = {
  StorageVersion: SAMPLE_KINDS.map(({ definition: { group, resource } }) => `${group || 'core'}.${resource}`).sort(),
  Namespace: SYSTEM_NAMESPACES,
  ...bootstrapNames(),
};

function toCase({ definition, strategy }: Kind): KindCase {
  const { kind, group, version, apiVersion, resource, singular, namespaced } = definition;
  const file = readCase(kind);
  const published = folderOf(kind).resource;
  return {
    kind,
    group,
    version,
    apiVersion,
    resource,
    singular,
    namespaced,
    statusSubresource: published.subresources.includes('status'),
    deleteReturnsObject: published.deleteReturns === kind,
    terminates: strategy.termination !== undefined,
    orphansByDefault: strategy.defaultPropagationPolicy === 'Orphan',
    putCreates: file.putCreates,
    putWithoutVersion: file.putWithoutVersion,
    generations: file.countsGenerations ? [1, 2] : [undefined, undefined],
    madeByServer: MADE_BY_SERVER[kind] ?? [],
    sample: (name, namespace) => filledIn(file.object, { name, namespace }) as SampleObject,
    change: (object, step) => merged(object, filledIn(file.change, { step })) as SampleObject,
    status: file.status,
    columns: (name) =>
      Object.entries(filledIn(file.columns, { name })).map(([column, cell = null]) => ({
        name: column,
        cell,
        wide: file.wide.includes(column),
      })),
  };
}

export const KINDS: readonly KindCase[] = SAMPLE_KINDS.map(toCase);

export function kindCase(kind: string): KindCase {
  const found = KINDS.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}

// Those that tests of single things are about.
export const STORAGE_VERSION = kindCase('StorageVersion');
export const VOLUME_ATTACHMENT = kindCase('VolumeAttachment');
export const CONTROLLER_REVISION = kindCase('ControllerRevision');
export const CRON_JOB = kindCase('CronJob');
export const JOB = kindCase('Job');
export const POD_DISRUPTION_BUDGET = kindCase('PodDisruptionBudget');
export const EVENT = kindCase('Event');
