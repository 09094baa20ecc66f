import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compareWithDisk, generate } from './generate.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', () => {
  it('are what the facts say: run `make generate` when this fails', () => {
    const { stale, orphans } = compareWithDisk(root, generate(root));
    expect({ stale: stale.map((file) => file.path), orphans }).toEqual({ stale: [], orphans: [] });
  });

  // OpenAPI documents are rewritten by the server, and a page about flags names their defaults.
  it('never spell the group suffix, but for OpenAPI documents and pages', () => {
    const mustNot = generate(root).filter(({ path: file }) => !/^(schemas\/openapi|docs)\//.test(file));
    const spelled = mustNot.filter(({ text }) => text.includes('k8s.io'));
    expect(spelled.map((file) => file.path)).toEqual([]);
  });
});

describe('a seventh kind', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codegen-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is one more folder with facts', () => {
    const apis = 'pkg/apis';
    cpSync(path.join(root, apis), path.join(folder, apis), { recursive: true });
    cpSync(path.join(root, 'examples'), path.join(folder, 'examples'), { recursive: true });
    cpSync(path.join(root, 'pkg/config/kinds'), path.join(folder, 'pkg/config/kinds'), { recursive: true });
    const facts = readFileSync(path.join(root, apis, 'policy/v1/poddisruptionbudgets/facts.json'), 'utf8');
    mkdirSync(path.join(folder, apis, 'example/v1/widgets'), { recursive: true });
    writeFileSync(
      path.join(folder, apis, 'example/v1/widgets/facts.json'),
      facts.replaceAll('PodDisruptionBudget', 'Widget').replaceAll('poddisruptionbudget', 'widget').replaceAll('policy', 'example'),
    );

    const before = new Map(generate(root).map((file) => [file.path, file.text]));
    const changed = generate(folder).filter((file) => before.get(file.path) !== file.text);

    expect(changed.map((file) => file.path).sort()).toEqual([
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
  });
});

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
