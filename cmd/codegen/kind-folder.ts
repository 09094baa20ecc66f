/** Checks that the folder of a kind, a view or a review is complete. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Facts, FactsFile, ResourceFacts } from './facts.ts';

type RequiredFiles = Readonly<Record<string, string>>;

const DESCRIPTION_FILES: RequiredFiles = { 'descriptions.json': 'say what each type and field means' };

const KIND_FILES: RequiredFiles = {
  ...DESCRIPTION_FILES,
  'kind.ts': 'export createKind, which joins definition, shape, table and strategy',
  'strategy.ts': 'export the strategy: names, defaults, rules, what a status write may change',
  'columns.ts': 'export the table: its columns and cells',
  'rules.md': 'list the validation rules for users; "Nothing beyond the types." if there are none',
  'testdata/realistic.json': 'give an object as a cluster stores it, with uid, resourceVersion and status',
  'testdata/case.json': 'give a small object, a change to it and its table, for the tests of all kinds',
};

const VIEW_FILES: RequiredFiles = { ...DESCRIPTION_FILES, 'rules.md': 'list the validation rules that differ from the kind, for users' };
const REVIEW_FILES: RequiredFiles = { ...DESCRIPTION_FILES, 'review.ts': 'export createReview, which answers it' };

/** Required members of `testdata/case.json`. */
const CASE_MEMBERS = ['object', 'change', 'countsGenerations', 'putCreates', 'putWithoutVersion', 'columns', 'wide'];

/** One line per problem, with the file and what to do. `root`: the checkout. */
export function findProblems(root: string, facts: Facts): string[] {
  return facts.files.flatMap((file) => [
    ...missingFiles(root, file),
    ...(isOwned(file) ? undescribed(facts, file) : []),
    ...(file.resource === undefined ? [] : wrongSamples(root, file.folder, file.resource)),
  ]);
}

const isOwned = ({ resource, view, review }: FactsFile): boolean => (resource ?? view ?? review) !== undefined;

function missingFiles(root: string, { folder, resource, view, review }: FactsFile): string[] {
  const inFolder = resource !== undefined ? KIND_FILES : view !== undefined ? VIEW_FILES : review !== undefined ? REVIEW_FILES : {};
  const required = Object.entries(inFolder).map(([name, what]): [string, string] => [`pkg/apis/${folder}/${name}`, what]);
  if (resource !== undefined)
    required.push([`examples/${resource.singular}.yaml`, 'give a manifest that the server accepts without warnings']);
  return required.filter(([file]) => !existsSync(path.join(root, file))).map(([file, what]) => `${file} is missing: ${what}`);
}

function undescribed(facts: Facts, { folder }: FactsFile): string[] {
  return facts.modelsIn(folder).flatMap(({ model, description, shape, fields = [] }) => {
    const names = fields.filter((field) => field.description === undefined).map(({ name }) => name);
    const itself = description === undefined && shape === 'object' ? ['the type itself (key "")'] : [];
    const all = [...itself, ...names];
    return all.length === 0 ? [] : [`pkg/apis/${folder}/descriptions.json: ${model} has no description of ${all.join(', ')}`];
  });
}

function wrongSamples(root: string, folder: string, { kind }: ResourceFacts): string[] {
  const testdata = `pkg/apis/${folder}/testdata`;
  const sample = readJson(root, `${testdata}/realistic.json`);
  const test = readJson(root, `${testdata}/case.json`);
  return [
    ...(typeof sample === 'string' ? [sample] : sample === undefined ? [] : kindProblems(`${testdata}/realistic.json`, sample, kind)),
    ...(typeof test === 'string' ? [test] : test === undefined ? [] : wrongCase(`${testdata}/case.json`, test, kind)),
  ];
}

function wrongCase(file: string, members: object, kind: string): string[] {
  const missing = CASE_MEMBERS.filter((name) => !Object.hasOwn(members, name));
  if (missing.length > 0) return [`${file}: add ${missing.join(', ')}; docs/adding-a-kind.md explains them`];
  return kindProblems(`${file}: object`, Reflect.get(members, 'object'), kind);
}

const kindProblems = (where: string, sample: unknown, kind: string): string[] =>
  typeof sample === 'object' && sample !== null && Reflect.get(sample, 'kind') === kind ? [] : [`${where} must have "kind": "${kind}"`];

/** A string is the problem. Undefined if the file does not exist, which `missingFiles` reports. */
function readJson(root: string, file: string): object | string | undefined {
  if (!existsSync(path.join(root, file))) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    return typeof value === 'object' && value !== null ? value : `${file} must hold a JSON object`;
  } catch (error) {
    return `${file} is not JSON: ${String(error)}`;
  }
}
