import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CopiedTree } from '../../test/support/copied-tree.ts';
import { checkGenerated, compareWithDisk, generateFromFacts } from './generate.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', () => {
  it('are what the facts say: run `make generate` when this fails', async () => {
    const { stale, orphans } = await checkGenerated(root);
    expect({ stale: stale.map((file) => file.path), orphans }).toEqual({ stale: [], orphans: [] });
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

  it('is generated in one run, its page included', async () => {
    copyRenamed(tree.path('pkg/apis/policy/v1/poddisruptionbudgets'), tree.path('pkg/apis/example/v1/widgets'));
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
    expect(await tree.run('cmd/codegen/main.ts')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(tree.path('docs/kinds/widgets.md'))).toBe(false);
    expect(readFileSync(tree.path('pkg/apis/kinds.gen.ts'), 'utf8')).not.toContain('Widget');
  });
});

/** Copies a folder with a PodDisruptionBudget made a Widget of another group. */
function copyRenamed(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => !/\.gen\.ts$|^testdata$/.test(name))) {
    const text = readFileSync(path.join(from, file), 'utf8');
    const renamed = text.replaceAll('PodDisruptionBudget', 'Widget').replaceAll('poddisruptionbudget', 'widget');
    writeFileSync(path.join(to, file), renamed.replaceAll('policy', 'example'));
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
