import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CopiedTree } from '../../test/support/copied-tree.ts';
import { readFacts } from './facts.ts';
import { checkGenerated, compareWithDisk, generateFromFacts } from './generate.ts';
import { findProblems } from './kind-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', () => {
  it('are what the facts say: run `make generate` when this fails', async () => {
    const { stale, orphans } = await checkGenerated(root);
    expect({ stale: stale.map((file) => file.path), orphans }).toEqual({ stale: [], orphans: [] });
  });

  it('are made of folders that lack nothing', () => {
    expect(findProblems(root, readFacts(path.join(root, 'pkg/apis')))).toEqual([]);
  });

  // The server rewrites OpenAPI documents.
  it('never spell the group suffix, but for OpenAPI documents and pages', () => {
    const mustNot = generateFromFacts(root).filter(({ path: file }) => !/^(schemas\/openapi|docs)\//.test(file));
    const spelled = mustNot.filter(({ text }) => text.includes('k8s.io'));
    expect(spelled.map((file) => file.path)).toEqual([]);
  });
});

describe('a kind that is added', () => {
  let tree: CopiedTree;
  beforeAll(() => {
    tree = new CopiedTree();
  });
  afterAll(() => tree[Symbol.dispose]());

  const folder = 'pkg/apis/example/v1/widgets';
  const addWidget = (): void => {
    copyRenamed(tree.path('pkg/apis/policy/v1/poddisruptionbudgets'), tree.path(folder));
    const manifest = readFileSync(tree.path('examples/poddisruptionbudget.yaml'), 'utf8');
    writeFileSync(tree.path('examples/widget.yaml'), renamed(manifest));
  };
  const problems = (): string[] => findProblems(tree.root, readFacts(tree.path('pkg/apis')));

  it('is asked for every file that it lacks, before anything is written', async () => {
    const facts = readFileSync(tree.path('pkg/apis/policy/v1/poddisruptionbudgets/facts.json'), 'utf8');
    mkdirSync(tree.path(folder), { recursive: true });
    writeFileSync(tree.path(`${folder}/facts.json`), renamed(facts));
    const { code, stdout, stderr } = await tree.run('cmd/codegen/main.ts');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').filter((line) => line.includes(' is missing: '))).toEqual([
      `${folder}/descriptions.json is missing: say what each type and field means`,
      `${folder}/kind.ts is missing: export createKind, which joins definition, shape, table and strategy`,
      `${folder}/strategy.ts is missing: export the strategy: names, defaults, rules, what a status write may change`,
      `${folder}/columns.ts is missing: export the table: its columns and cells`,
      `${folder}/rules.md is missing: list the validation rules for users; "Nothing beyond the types." if there are none`,
      `${folder}/testdata/realistic.json is missing: give an object as a cluster stores it, with uid, resourceVersion and status`,
      `${folder}/testdata/case.json is missing: give a small object, a change to it and its table, for the tests of all kinds`,
      'examples/widget.yaml is missing: give a manifest that the server accepts without warnings',
    ]);
    expect(existsSync(tree.path(`${folder}/definition.gen.ts`))).toBe(false);
  });

  it('is asked for descriptions and samples that it lacks', () => {
    addWidget();
    expect(problems()).toEqual([]);
    const change = (file: string, from: string | RegExp, to: string): void => {
      const text = readFileSync(tree.path(`${folder}/${file}`), 'utf8');
      writeFileSync(tree.path(`${folder}/${file}`), text.replace(from, to));
    };
    change('descriptions.json', /"minAvailable": ".*",\n/, '');
    change('testdata/realistic.json', '"Widget"', '"Gadget"');
    change('testdata/case.json', '"putCreates"', '"putMakes"');
    expect(problems()).toEqual([
      `${folder}/descriptions.json: io.k8s.api.example.v1.WidgetSpec has no description of minAvailable`,
      `${folder}/testdata/realistic.json must have "kind": "Widget"`,
      `${folder}/testdata/case.json: add putCreates; docs/adding-a-kind.md explains them`,
    ]);
    change('testdata/case.json', '{', '');
    expect(problems().at(-1)).toContain(`${folder}/testdata/case.json is not JSON: SyntaxError`);
  });

  it('is generated in one run, its page included', async () => {
    addWidget();
    expect(await tree.run('cmd/codegen/main.ts')).toMatchObject({ code: 0, stderr: '' });
    expect(await tree.run('cmd/codegen/main.ts', '--check')).toMatchObject({ code: 0, stderr: '' });
    const differing = globSync('{docs,pkg,schemas}/**/*.{json,md,ts}', { cwd: tree.root })
      .filter((file) => !existsSync(path.join(root, file)) || !readFileSync(tree.path(file)).equals(readFileSync(path.join(root, file))))
      .filter((file) => /\.gen\.ts$|^(docs|schemas)\//.test(file));
    expect(differing.sort()).toEqual([
      'docs/kinds.md',
      'docs/kinds/widgets.md',
      'pkg/apis/example/v1/widgets/definition.gen.ts',
      'pkg/apis/example/v1/widgets/shapes.gen.ts',
      'pkg/apis/example/v1/widgets/types.gen.ts',
      'pkg/apis/kinds.gen.ts',
      'pkg/schema/validators/validators.gen.ts',
      'schemas/example/v1/Widget.json',
      'schemas/example/v1/WidgetList.json',
      'schemas/openapi/v2.json',
      'schemas/openapi/v3/apis/example.json',
      'schemas/openapi/v3/apis/example/v1.json',
    ]);
    expect(readFileSync(tree.path('docs/kinds/widgets.md'), 'utf8')).toContain('Allowed Disruptions');
  });

  it('is taken out in one run', async () => {
    rmSync(tree.path('pkg/apis/example'), { recursive: true });
    rmSync(tree.path('examples/widget.yaml'));
    expect(await tree.run('cmd/codegen/main.ts')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(tree.path('docs/kinds/widgets.md'))).toBe(false);
    expect(readFileSync(tree.path('pkg/apis/kinds.gen.ts'), 'utf8')).not.toContain('Widget');
  });
});

/** Turns text about a PodDisruptionBudget into text about a Widget in another group. */
const renamed = (text: string): string =>
  text.replaceAll('PodDisruptionBudget', 'Widget').replaceAll('poddisruptionbudget', 'widget').replaceAll('policy', 'example');

function copyRenamed(from: string, to: string): void {
  for (const name of globSync('**/*.*', { cwd: from, exclude: ['**/*.gen.ts'] })) {
    const file = path.join(to, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, renamed(readFileSync(path.join(from, name), 'utf8')));
  }
}

describe('compareWithDisk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'codegen-'));
    mkdirSync(path.join(folder, 'pkg'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('names a file with another text, a missing one and one that nothing generates', () => {
    writeFileSync(path.join(folder, 'pkg/changed.gen.ts'), 'old');
    writeFileSync(path.join(folder, 'pkg/same.gen.ts'), 'same');
    writeFileSync(path.join(folder, 'pkg/left-over.gen.ts'), '');
    writeFileSync(path.join(folder, 'pkg/by-hand.ts'), '');
    const files = ['changed', 'same', 'missing'].map((name) => ({ path: `pkg/${name}.gen.ts`, text: name }));

    const { stale, orphans } = compareWithDisk(folder, files);

    expect(stale.map((file) => file.path)).toEqual(['pkg/changed.gen.ts', 'pkg/missing.gen.ts']);
    expect(orphans).toEqual(['pkg/left-over.gen.ts']);
  });
});
