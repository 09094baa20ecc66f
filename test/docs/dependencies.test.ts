import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseClientFile } from '../clients/client-file.ts';
import { clientFolders } from '../clients/client-folders.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

const fromRoot = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/dependencies.md', () => {
  it('names every package of package.json with its version, and no other', () => {
    const { dependencies, optionalDependencies, devDependencies, overrides } = JSON.parse(fromRoot('package.json')) as Manifest;
    // Each is named with its version once, in a line that begins with it: a heading, an entry or a row.
    const lines = fromRoot('docs/dependencies.md')
      .split('\n')
      .filter((line) => /^(### |- |\| )`/.test(line))
      .join('\n');
    const named = [...lines.matchAll(/`([^`]+)` (\d[^\s,:]*)/g)].map(([, name, version]) => `${name} ${version}`);
    const all = { ...dependencies, ...optionalDependencies, ...devDependencies, ...overrides };
    expect(named.sort()).toEqual(
      Object.entries(all)
        .map(([name, version]) => `${name} ${version}`)
        .sort(),
    );
  });

  it('names the client of every language as its client.json does, and no other', () => {
    const section =
      fromRoot('docs/dependencies.md')
        .split('\n## ')
        .find((text) => text.startsWith('Clients of other languages')) ?? '';
    const rows = [...section.matchAll(/^\| (\S+) +\| (.+?) +\|$/gm)].map(([, language, client]) => `${language}: ${client}`).slice(2);
    const clients = clientFolders().map(({ path }) => parseClientFile(readFileSync(join(path, 'client.json'), 'utf8'), path));
    expect(rows.sort()).toEqual(clients.map(({ language, client }) => `${language}: ${client}`).sort());
  });
});
