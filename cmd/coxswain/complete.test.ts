import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findOnPath } from '../../test/support/programs.ts';
import { COMMANDS } from './commands.ts';
import { completionLines } from './complete.ts';
import { completionScript, SHELLS } from './completion-script.ts';
import { UsageError } from './flag.ts';

const completed = (...words: string[]) =>
  completionLines(words)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0]);

describe('completion', () => {
  it.each([
    [['ver'], ['version']],
    [['config', 'de'], ['defaults']],
    [['config', 'check', '--str'], ['--strict']],
    [['config', 'check', '-o', 'j'], ['json']],
    [['config', 'check', ''], [':files']],
    [['config', 'check', 'a', '--strict', ''], [':files']],
    [['config', 'defaults', 'Lea'], ['LeaderMigrationConfiguration']],
    [
      ['config', 'explain', 'ClusterControllerManagerConfiguration.Generic.Leader'],
      [
        ':nospace',
        ...['LeaderElection', 'LeaderMigrationEnabled', 'LeaderMigration'].map(
          (name) => `ClusterControllerManagerConfiguration.Generic.${name}`,
        ),
      ],
    ],
    [
      ['serve', '--log-format', ''],
      ['text', 'json'],
    ],
    [['serve', '--anon'], ['--anonymous-auth']],
    [['completion', 'z'], ['zsh']],
    [
      ['config', 'check', '--color='],
      ['--color=auto', '--color=always', '--color=never'],
    ],
    [
      ['config', 'check', '--color=a'],
      ['--color=auto', '--color=always'],
    ],
    [['config', 'check', '--strict=t'], ['--strict=true']],
    [['config', 'check', '--strict', ''], [':files']],
    [['config', 'check', '--output', 'j'], ['json']],
    [['config', 'check', '--output=j'], ['--output=json']],
    [['config', 'check', '--group-suffix', ''], []],
    [['config', 'check', '--', '--st'], [':files']],
    [['config', 'convert', '--w'], ['--write']],
    [['config', 'diff', 'a', ''], [':files']],
    [['serve', '--config='], [':files']],
    [['serve', '--etcd-prefix', ''], []],
    [['help', 'config', 'vi'], ['view']],
    [['help', 'ser'], ['serve']],
    [['help', 'config', 'view', ''], []],
    [['config', 'defaults', 'Lead'], ['LeaderMigrationConfiguration']],
    [
      ['config', 'explain', 'Leader'],
      [':nospace', 'LeaderMigrationConfiguration', 'LeaderElectionConfiguration'],
    ],
    [
      ['config', 'explain', 'KubeC'],
      [':nospace', 'KubeControllerManagerConfiguration'],
    ],
    [['config', 'explain', 'LeaderElectionConfiguration.lease'], ['LeaderElectionConfiguration.leaseDuration']],
    [
      ['config', 'explain', 'KubeControllerManagerConfiguration.KubeCloudShared.Cluster'],
      ['Name', 'CIDR'].map((name) => `KubeControllerManagerConfiguration.KubeCloudShared.Cluster${name}`),
    ],
    [['config', 'explain', 'LeaderMigrationConfiguration.controllerLeaders.n'], ['LeaderMigrationConfiguration.controllerLeaders.name']],
    [['nothing', ''], []],
    [['config', 'explain', 'Nothing.x.y'], []],
  ])('%j', (words, expected) => expect(completed(...words)).toEqual(expected));

  it('names every command', () => {
    const offered = [...completed(''), ...completed('config', '').map((word) => `config ${word ?? ''}`)];
    expect(offered.filter((word) => word !== 'config').sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it('is for three shells', () => {
    for (const shell of SHELLS) expect(completionScript([shell])).toContain(' complete -- ');
    expect(() => completionScript(['csh'])).toThrow(UsageError);
    expect(() => completionScript([])).toThrow(UsageError);
  });
});

const MAIN = path.join(import.meta.dirname, 'main.ts');

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'coxswain-complete-'));
  writeFileSync(path.join(dir, 'coxswain'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(path.join(dir, 'coxswain'), 0o755);
  mkdirSync(path.join(dir, 'my folder'));
  for (const shell of SHELLS) writeFileSync(path.join(dir, `script.${shell}`), completionScript([shell]));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Not on the PATH: the script runs the program of the command line. */
const run = (shell: string, ...args: string[]) =>
  execFileSync(shell, args, { cwd: dir, encoding: 'utf8', env: { ...process.env, HOME: dir } })
    .trimEnd()
    .split('\n');

const describeIn = (shell: (typeof SHELLS)[number]) => (findOnPath(shell) === undefined ? describe.skip : describe);

const GENERIC = 'ClusterControllerManagerConfiguration.Generic';

describe('Completion in bash', () => {
  /** Splits words as readline does. */
  const inBash = (...words: string[]) =>
    run(
      'bash',
      '--norc',
      '-c',
      'source ./script.bash; compopt() { echo "$@"; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coxswain "$1"; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      ...words,
    );

  it.each([
    [
      ['./coxswain', 'config', 'e'],
      ['explain', 'enabled'],
    ],
    [['~/coxswain', 'config', 'check', '--color', '=', 'al'], ['always']],
    [['./coxswain', 'config', 'check', 'x'], ['-o default']],
    [
      ['./coxswain', 'config', 'explain', `${GENERIC}.LeaderEl`],
      ['-o nospace', `${GENERIC}.LeaderElection`],
    ],
  ])('%j', (words, offered) => expect(inBash(...words)).toEqual(offered));
});

describeIn('zsh')('Completion in zsh', () => {
  const inZsh = (...line: string[]) =>
    run(
      'zsh',
      '-f',
      '-c',
      'compdef() { }; source ./script.zsh; _describe() { print -rl -- "${(@P)4}" "${@[5,-1]}"; }; _files() { print files; }; compset() { }; words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; _coxswain',
      'zsh',
      ...line,
    );

  it.each([
    [
      ['./coxswain', 'config', 'e'],
      ['explain:describe a field, its default and the source of that', 'enabled:list which controllers run, and why'],
    ],
    [['~/coxswain', 'config', 'check', '--color=al'], ['--color=always']],
    [['./coxswain', 'config', 'check', 'x'], ['files']],
    [
      ['./coxswain', 'config', 'explain', `${GENERIC}.LeaderEl`],
      [expect.stringMatching(/^Cluster.*\.LeaderElection:How/), '-S', ''],
    ],
  ])('%j', (line, offered) => expect(inZsh(...line)).toEqual(offered.filter((each) => each !== '')));
});

describeIn('fish')('Completion in fish', () => {
  const inFish = (line: string) => run('fish', '--no-config', '-c', 'source ./script.fish; complete -C "$argv[1]"', line);

  it.each([
    ['./coxswain config e', ['enabled\tlist which controllers run, and why', expect.stringMatching(/^explain\t/)]],
    ['~/coxswain config check --color=al', ['--color=always']],
    ['./coxswain config check my', ['my folder/']],
    [`./coxswain config explain ${GENERIC}.LeaderEl`, [expect.stringMatching(/^Cluster.*\.LeaderElection\tHow/)]],
  ])('%s', (line, offered) => expect(inFish(line)).toEqual(offered));
});
