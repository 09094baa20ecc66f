/** The `config` commands as processes: what they print in a terminal and in a pipe, and what they end with. */
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD } from '../../support/config-files.ts';
import { expectGolden } from '../../support/golden.ts';
import { hasTerminal, runInTerminal, runShell } from '../../support/shell.ts';
import type { ShellOptions } from '../../support/shell.ts';
import { MIGRATION, MISTAKES, OLDER } from './inputs.ts';

const VALID = `${CLUSTER_HEAD}JobController: {ConcurrentJobSyncs: 6}\n`;
const FILES: Readonly<Record<string, string>> = {
  'mistakes.yaml': MISTAKES,
  'older.yaml': OLDER,
  'valid.yaml': VALID,
  'two.yaml': `${VALID.replace('6', '7')}---\n${MIGRATION}`,
  'stuck.yaml': OLDER.replace('kind: K', 'kind: !!str K').replace('Generic:', 'Generik:'),
};

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'coxswain-commands-'));
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(path.join(cwd, name), text)));
});
afterAll(() => rm(cwd, { recursive: true }));

const shell = (line: string, env: NodeJS.ProcessEnv = {}) => runShell(line, { cwd, env } satisfies ShellOptions);
const golden = (name: string, text: string) => expectGolden(path.join(import.meta.dirname, 'golden', `${name}.txt`), text);

const KIND = 'ClusterControllerManagerConfiguration';

// Without script(1) there is no terminal to be had; what depends on its width alone is tested with the commands
// themselves.
(hasTerminal ? describe : describe.skip)('In a terminal', () => {
  it.each([
    ['check-60', 60, 'coxswain config check mistakes.yaml older.yaml valid.yaml', 1],
    ['check-120', 120, 'coxswain config check mistakes.yaml', 1],
    ['check-strict', 80, 'coxswain config check --strict older.yaml missing.yaml', 2],
    ['diff-80', 80, 'coxswain config diff older.yaml two.yaml', 1],
    ['explain-60', 60, `coxswain config explain ${KIND}.Generic.LeaderElection`, 0],
    ['convert-80', 80, 'coxswain config convert stuck.yaml', 1],
    ['flags-80', 80, 'coxswain config flags older.yaml', 0],
    ['enabled-60', 60, 'coxswain config enabled older.yaml', 0],
    ['enabled-160', 160, 'coxswain config enabled older.yaml', 0],
    ['view-80', 80, 'coxswain config view --only-changed older.yaml', 0],
  ])('%s', async (name, columns, line, code) => {
    const ran = await runInTerminal(line, columns, { cwd });
    await golden(name, ran.stdout);
    expect(ran.code).toBe(code);
  });

  it.each([
    ['NO_COLOR', 'coxswain config check mistakes.yaml', { NO_COLOR: '1' }, false],
    ['--color=always and NO_COLOR', 'coxswain config check --color=always mistakes.yaml', { NO_COLOR: '1' }, true],
    ['a pipe inside of it', 'coxswain config check mistakes.yaml | cat', {}, false],
    ['a pipe, and errors in the terminal', 'coxswain config view mistakes.yaml | cat', {}, true],
  ])('there are colours or none with %s', async (_, line, env, hasColors) => {
    const { stdout } = await runInTerminal(line, 80, { cwd, env });
    expect(stdout).toContain('Controlers');
    expect(stdout.includes('\u001b[')).toBe(hasColors);
  });
});

describe('In a pipe', () => {
  it('there are no colours, and the width is a hundred columns or what COLUMNS says', async () => {
    const [own, wide] = await Promise.all([
      shell('coxswain config check mistakes.yaml'),
      shell('coxswain config check mistakes.yaml', { COLUMNS: '60' }),
    ]);
    await golden('check-piped', own.stdout);
    const excerpts = wide.stdout.split('\n').filter((line) => /^ +\d+ \| /.test(line));
    expect(Math.max(...excerpts.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('defaults come with comments and pass the strictest check', async () => {
    const line = `coxswain config defaults ${KIND}`;
    const { stdout, code } = await shell(`${line} && ${line} | coxswain config check --strict - >&2`);
    expect(code).toBe(0);
    await golden('defaults', stdout);
  });
});

describe('What a command ends with', () => {
  it.each([
    ['check older.yaml', 0],
    ['check --strict older.yaml', 1],
    ['check -o json mistakes.yaml missing.yaml', 2],
    ['check', 2],
    ['diff valid.yaml - < valid.yaml', 0],
    ['diff valid.yaml mistakes.yaml', 2],
    ['check - < /dev/null', 1],
  ])('config %s: %i', async (args, code) => expect((await shell(`coxswain config ${args}`)).code).toBe(code));

  it('does not depend on who reads what it prints', async () => {
    const { stdout, stderr } = await shell('{ coxswain config check mistakes.yaml; echo "ended with $?" >&2; } | head -n 1');
    expect(stdout).toMatch(/^mistakes\.yaml:4:28: error: [^\n]*\n$/);
    expect(stderr).toBe('ended with 1\n');
  });

  it('is quiet when nobody reads', async () => {
    expect(await shell('coxswain config defaults ' + KIND + ' | true')).toMatchObject({ stdout: '', stderr: '' });
  });
});

describe('Where it is written', () => {
  it('reports go to standard output, and what hinders a command to standard error', async () => {
    const quiet = (line: string) => shell(`coxswain config ${line} 2>/dev/null`);
    expect((await quiet('check mistakes.yaml missing.yaml')).stdout).toMatch(
      /^mistakes\.yaml:4:28[^]*\n2 files: \d+ errors, 1 warning, 1 cannot be read\n$/,
    );
    expect((await quiet('view mistakes.yaml')).stdout).toBe('');
    expect((await quiet('chekc')).stdout).toBe('');
    const { stderr } = await shell('coxswain config check mistakes.yaml missing.yaml >/dev/null');
    expect(stderr).toBe('coxswain: missing.yaml: the file cannot be read: there is no such file\n');
  });

  it('flags are taken by a shell as they are, whatever is in them', async () => {
    const line = `eval "set -- $(coxswain config flags older.yaml | tr '\\n' ' ')"; printf '%s\\n' "$@"`;
    const { stdout, stderr } = await shell(line);
    expect(stderr).toBe('');
    expect(stdout).toContain('\n--cluster-name=it\'s a "b" $HOME\n');
    expect(stdout).toContain('\n--controllers=*,bootstrapsigner,tokencleaner,-ttl\n');
  });

  it('files that are converted in place keep their permissions', async () => {
    await writeFile(path.join(cwd, 'mine.yaml'), OLDER);
    await chmod(path.join(cwd, 'mine.yaml'), 0o600);
    const { stdout, code } = await shell(
      'coxswain config convert -w mine.yaml && coxswain config convert older.yaml | cmp - mine.yaml && coxswain config check --strict mine.yaml',
    );
    expect([stdout, code]).toEqual(['mine.yaml: rewritten\nmine.yaml: valid\n', 0]);
    expect((await stat(path.join(cwd, 'mine.yaml'))).mode & 0o777).toBe(0o600);
  });
});
