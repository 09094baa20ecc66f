/** What is compared: every kind that is served and its views, each with objects to begin with. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { renamingOf } from '../../pkg/apis/kind-view.ts';
import type { Kind, KindView, ResourceDefinition } from '../../pkg/apis/kind.ts';
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';
import { toJsonText } from '../support/json-token.ts';
import { folderOf, kindSample, SAMPLE_KINDS } from '../support/kind-samples.ts';
import { kindCase } from '../support/kinds.ts';
import { validObject } from '../support/valid-objects.ts';
import { createBodyFormat, type BodyFormat } from './body.ts';
import { Corpus, fieldKey } from './corpus.ts';
import type { Draw } from './draw.ts';
import { ODD_METADATA } from './odd-metadata.ts';
import { isObject, memberOf, parseTree, type Tree, type TreeObject } from './tree.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Target {
  /** For reports: `CronJob`, `Event (v1)`. */
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly shape: ObjectShape;
  readonly format: BodyFormat;
  readonly corpus: Corpus;
  /** Names that others may select by. */
  readonly selectableFields: readonly string[];
  /** A valid name of an object of this kind with `name` in it. */
  readonly nameOf: (name: string, namespace: string) => string;
  /** An object that is probably valid. */
  readonly object: (draw: Draw, name: string, namespace: string) => TreeObject;
}

/** In the order of `createKinds`, each followed by its views. */
export function createTargets(): readonly Target[] {
  return SAMPLE_KINDS.flatMap((kind) => [toTarget(kind), ...(kind.views ?? []).map((view) => toTarget(kind, view))]);
}

function toTarget(kind: Kind, view?: KindView): Target {
  const { definition, shape, strategy } = view ?? kind;
  const toView =
    view === undefined ? (tree: TreeObject) => tree : (tree: TreeObject): TreeObject => renamingOf(view).toView<TreeObject>(tree);
  const { kind: kindName, apiVersion } = definition;
  const bodies = bodiesOf(kindName).map(toView);
  const corpus = createCorpus(shape, bodies);
  const { sample } = kindCase(kindName);
  const bases = bodies.filter((body) => Object.keys(body).some((name) => !META_FIELDS.has(name)));
  const generated = validObject(kindName);
  const base = (draw: Draw, name: string, namespace: string): TreeObject =>
    draw.weighted<() => TreeObject>([
      [3, () => toView(treeOf(sample(name, namespace)))],
      [3, () => draw.pick(bases)],
      [4, () => toView(generatedObject(generated, draw))],
    ])();
  return {
    name: view === undefined ? kindName : `${kindName} (${apiVersion})`,
    definition,
    shape,
    format: createBodyFormat(shape),
    corpus,
    selectableFields: ['metadata.name', 'metadata.namespace', ...Object.keys(strategy.selectableFields ?? {})],
    nameOf: (name, namespace) => sample(name, namespace).metadata.name,
    object: (draw, name, namespace) => {
      const { metadata, kind: _kind, apiVersion: _apiVersion, ...rest } = base(draw, name, namespace);
      const identity = { name, ...(definition.namespaced ? { namespace } : {}) };
      return { kind: kindName, apiVersion, metadata: { ...sentMetadata(metadata), ...identity }, ...inNamespace(rest, namespace) };
    },
  };
}

const META_FIELDS = new Set(['kind', 'apiVersion', 'metadata']);
/** What the server makes up is not sent. */
const SENT_METADATA = new Set(['labels', 'annotations', 'finalizers', 'ownerReferences']);

const sentMetadata = (metadata: Tree | undefined): TreeObject =>
  isObject(metadata) ? Object.fromEntries(Object.entries(metadata).filter(([name]) => SENT_METADATA.has(name))) : {};

/** Objects that name their own namespace in other places do so for the namespace `default` in the samples. */
const inNamespace = (rest: TreeObject, namespace: string): TreeObject =>
  JSON.parse(JSON.stringify(rest).replaceAll('"namespace":"default"', `"namespace":${JSON.stringify(namespace)}`)) as TreeObject;

const treeOf = (value: unknown): TreeObject => {
  const tree = parseTree(toJsonText(value));
  if (!isObject(tree)) throw new Error('not an object');
  return tree;
};

const generatedObject = (arbitrary: fc.Arbitrary<unknown>, draw: Draw): TreeObject => {
  const [value] = fc.sample(arbitrary, { seed: draw.seed(), numRuns: 1 });
  return treeOf(value);
};

/** Every object of the kind in the files of the project: samples, examples, vectors. Not all of them are valid. */
function bodiesOf(kind: string): readonly TreeObject[] {
  const { folder } = folderOf(kind);
  const examples = globSync('examples/*.yaml', { cwd: ROOT }).map((file) => parse(readFileSync(path.join(ROOT, file), 'utf8')) as unknown);
  const fromExamples = examples.filter((example) => memberOf(example as Tree, 'kind') === kind);
  const vectors = ['rules', 'answers'].flatMap((topic) => objectsIn(path.join(ROOT, 'test/vectors', topic, `${kind}.json`)));
  const testdata = globSync('testdata/*.json', { cwd: folder }).flatMap((file) => objectsIn(path.join(folder, file)));
  return [kindSample(kind, 'realistic'), ...fromExamples, ...testdata, ...vectors].map(treeOf);
}

/** Of vectors and samples. */
const PLACEHOLDERS = /\{\{[^{}]*\}\}|\{[a-z]+\}/g;
const OBJECT_MEMBERS = new Set(['object', 'old', 'body', 'status', 'change']);

/** Objects that are a member of something in the file. */
function objectsIn(file: string): readonly TreeObject[] {
  if (!existsSync(file)) return [];
  const found: TreeObject[] = [];
  const walk = (tree: Tree): void => {
    if (typeof tree !== 'object' || tree === null) return;
    for (const [name, member] of Object.entries(tree as TreeObject)) {
      if (OBJECT_MEMBERS.has(name) && isObject(member)) found.push(name === 'status' ? { status: member } : member);
      else walk(member);
    }
  };
  walk(parseTree(readFileSync(file, 'utf8').replaceAll(PLACEHOLDERS, 'x')));
  return found;
}

function createCorpus(shape: ObjectShape, bodies: readonly TreeObject[]): Corpus {
  const corpus = new Corpus();
  for (const [key, value] of ENUMERATED) corpus.add(key, value);
  for (const body of bodies) corpus.addObject(shape, body);
  for (const [key, values] of ODD_METADATA) for (const value of values) corpus.add(key, value);
  return corpus;
}

interface FactsField {
  readonly name: string;
  readonly enum?: readonly string[];
  readonly knownValues?: readonly string[];
}

/** The words of each field that has some, from the type facts. */
const ENUMERATED: readonly (readonly [key: string, word: string])[] = globSync('pkg/apis/**/facts.json', { cwd: ROOT }).flatMap((file) => {
  const { types = {} } = JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as {
    readonly types?: Readonly<Record<string, { readonly fields?: readonly FactsField[] }>>;
  };
  return Object.entries(types).flatMap(([model, { fields = [] }]) => {
    const struct = model.split('.').slice(-3).join('.');
    return fields.flatMap((field) =>
      [...(field.enum ?? []), ...(field.knownValues ?? [])].map((word) => [fieldKey(struct, field.name), word] as const),
    );
  });
});
