import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)(?=[ <{=])/gm;

test('No type name is declared twice in the production code.', () => {
  const files = globSync(['cmd/**/*.ts', 'pkg/**/*.ts'], { cwd: ROOT }).filter((file) => !/\.(test|gen)\.ts$/.test(file));
  const filesOf = new Map<string, string[]>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(DECLARATION)) {
      filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
    }
  }
  expect(filesOf.size).toBeGreaterThan(500);
  expect([...filesOf].filter(([, declaring]) => declaring.length > 1)).toEqual([]);
});
