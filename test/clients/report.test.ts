import { describe, expect, it } from '@jest/globals';
import { lineOf, resultsFor, summaryOf, type ProgramResult } from './report.ts';

const result = (language: string, outcome: ProgramResult['outcome']): ProgramResult => ({
  language,
  program: 'story',
  backend: 'etcd',
  outcome,
});
const passed = result('Go', { is: 'passed', ms: 2149 });
const failed = result('Rust', { is: 'failed', why: 'did not report pages; exit code 1', output: 'failed pages: 2 !== 3\n at main\n' });
const skipped = result('Java', { is: 'skipped', why: 'mvn is not installed' });

describe('The report', () => {
  it('has a line for each program and store, and below it what the program complained about', () => {
    expect(lineOf(passed)).toBe('passed   Go story on etcd, 2.1 s');
    expect(lineOf(failed)).toBe('failed   Rust story on etcd: did not report pages; exit code 1\n    failed pages: 2 !== 3\n     at main');
    expect(lineOf(skipped)).toBe('skipped  Java story on etcd: mvn is not installed');
  });

  it('ends with what did not run, what failed, and the count', () => {
    expect(summaryOf([passed, passed, failed, skipped])).toBe(
      [
        'not run:',
        '  Java story on etcd: mvn is not installed',
        'failed:',
        '  Rust story on etcd: did not report pages; exit code 1',
        '2 passed, 1 failed, 1 skipped',
      ].join('\n'),
    );
  });

  it('is the count alone when all is well', () => {
    expect(summaryOf([passed])).toBe('1 passed, 0 failed, 0 skipped');
  });

  it('counts every program of a language that cannot run, on each store', () => {
    const program = { command: ['x'], steps: ['a'] } as const;
    const file = {
      language: 'Go',
      client: 'c',
      tools: [],
      prepare: [],
      programs: [
        { ...program, name: 'one' },
        { ...program, name: 'two' },
      ],
    };
    const lines = resultsFor(file, ['embedded', 'etcd'], { is: 'skipped', why: 'no go' }).map(lineOf);
    expect(lines).toEqual([
      'skipped  Go one on embedded: no go',
      'skipped  Go one on etcd: no go',
      'skipped  Go two on embedded: no go',
      'skipped  Go two on etcd: no go',
    ]);
  });
});
