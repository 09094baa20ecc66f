import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compareWithDisk, generate } from './generate.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', () => {
  it('are what the facts say: run `make generate` when this fails', () => {
    const { stale, orphans } = compareWithDisk(root, generate(root));
    expect({ stale: stale.map((file) => file.path), orphans }).toEqual({ stale: [], orphans: [] });
  });

  it('never spell the group suffix', () => {
    const spelled = generate(root).filter(({ text }) => text.includes('k8s.io'));
    expect(spelled.map((file) => file.path)).toEqual([]);
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
