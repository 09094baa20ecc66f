/** A request as planned: texts may have placeholders (`placeholders.ts`), which each server fills in its own way. */
import type { PlannedBody } from '../body.ts';
import type { Verb } from '../../../pkg/apis/kind.ts';
import type { Draw } from '../draw.ts';
import type { Target } from '../targets.ts';
import type { TreeObject } from '../tree.ts';

export interface PlannedRequest {
  /** For reports: `merge patch status`. */
  readonly verb: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: PlannedBody;
  /** The server completes this name by random characters. */
  readonly generateName?: string;
}

/** What the requests of a case are about: a few objects that nobody else uses. */
export interface CaseState {
  readonly target: Target;
  readonly namespace: string;
  readonly names: readonly string[];
  /** On every object, unless a request removes it: what tells this case's objects in a cluster from those of others. */
  readonly label: readonly [name: string, value: string];
  /** Those that exist, as they were last seen, with placeholders. */
  readonly objects: ReadonlyMap<string, TreeObject>;
  /** From the last page of a list that has more. */
  readonly continueToken?: string;
}

export type Planner = (draw: Draw, state: CaseState) => PlannedRequest;

export function collectionPath({ target: { definition }, namespace }: CaseState): string {
  const { group, version, resource, namespaced } = definition;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/${namespace}/${resource}` : `${root}/${resource}`;
}

export const itemPath = (state: CaseState, name: string, subresource = ''): string =>
  `${collectionPath(state)}/${encodeURIComponent(name)}${subresource === '' ? '' : `/${subresource}`}`;

/** Most often one that exists. */
export function chooseName(draw: Draw, { names, objects }: CaseState): string {
  const existing = names.filter((name) => objects.has(name));
  return existing.length > 0 && draw.chance(0.9) ? draw.pick(existing) : draw.pick(names);
}

/** Empty: the object itself. */
export function chooseSubresource(draw: Draw, { target }: CaseState, verb: Verb): string {
  const subresources = target.definition.subresources.filter(({ verbs }) => verbs.includes(verb));
  return subresources.length > 0 && draw.chance(0.25) ? draw.pick(subresources).name : '';
}

/** A new object of the case. */
export function newObject(draw: Draw, { target, namespace, label: [name, value] }: CaseState, ofName: string): TreeObject {
  const object = target.object(draw, ofName, namespace);
  const { metadata = {} } = object as { readonly metadata?: TreeObject };
  const { labels = {} } = metadata as { readonly labels?: TreeObject };
  return { ...object, metadata: { ...metadata, labels: { ...labels, [name]: value } } };
}

export const verbOf = (...words: readonly string[]): string => words.filter((word) => word !== '').join(' ');
