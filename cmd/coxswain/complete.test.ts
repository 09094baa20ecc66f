import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
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
      ['LeaderElection', 'LeaderMigrationEnabled', 'LeaderMigration'].map(
        (name) => `ClusterControllerManagerConfiguration.Generic.${name}`,
      ),
    ],
    [
      ['serve', '--log-format', ''],
      ['text', 'json'],
    ],
    [['serve', '--anon'], ['--anonymous-auth']],
    [['completion', 'z'], ['zsh']],
    [['nothing', ''], []],
    [['config', 'explain', 'Nothing.x.y'], []],
  ])('%j', (words, expected) => expect(completed(...words)).toEqual(expected));

  it('names every command', () => {
    const offered = [...completed(''), ...completed('config', '').map((word) => `config ${word ?? ''}`)];
    expect(offered.filter((word) => word !== 'config').sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it('is for three shells', () => {
    for (const shell of SHELLS) expect(completionScript([shell])).toContain('coxswain complete --');
    expect(() => completionScript(['csh'])).toThrow(UsageError);
    expect(() => completionScript([])).toThrow(UsageError);
  });

  it('works in bash', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'coxswain-complete-'));
    const program = path.join(dir, 'coxswain');
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${path.join(import.meta.dirname, 'main.ts')} "$@"\n`);
    chmodSync(program, 0o755);
    try {
      const script = `${completionScript(['bash'])}
COMP_WORDS=(coxswain config e); COMP_CWORD=2; _coxswain; echo "\${COMPREPLY[*]}"
COMP_WORDS=(coxswain config view ${dir}/cox); COMP_CWORD=3; _coxswain; echo "\${COMPREPLY[*]}"\n`;
      const output = execFileSync('bash', ['-c', script], {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` },
      });
      expect(output).toBe(`explain enabled\n${program}\n`);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
