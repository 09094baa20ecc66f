import { describe, expect, it } from '@jest/globals';
import { isObject, SARIF_FORM, violationsOf } from '../../../test/support/sarif-form.ts';
import type { Problem } from '../../../pkg/config/problem.ts';
import { toSarif } from './sarif.ts';

const PROBLEM: Problem = {
  file: 'a/b c#d.yaml',
  document: 1,
  path: 'Generic.Port',
  line: 3,
  column: 9,
  severity: 'error',
  reason: 'WrongType',
  message: 'must be a whole number, not "5"',
};

const written = (...problems: Problem[]): unknown => JSON.parse(JSON.stringify(toSarif(problems)));

describe('SARIF', () => {
  it('names the place, the rule and the field of each problem', () => {
    expect(written(PROBLEM)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'coxswain config check',
              rules: [{ id: 'WrongType', shortDescription: { text: 'Wrong type' }, defaultConfiguration: { level: 'error' } }],
            },
          },
          columnKind: 'utf16CodeUnits',
          results: [
            {
              ruleId: 'WrongType',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'Generic.Port: must be a whole number, not "5"' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a/b%20c%23d.yaml' },
                    region: { startLine: 3, startColumn: 9 },
                  },
                  logicalLocations: [{ fullyQualifiedName: 'Generic.Port' }],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('has one rule for each reason, and results that point at theirs', () => {
    const reasons = ['WrongType', 'InvalidCIDR', 'WrongType', 'NoEffect'];
    const problems = reasons.map((reason): Problem => ({ ...PROBLEM, reason, severity: reason === 'NoEffect' ? 'warning' : 'error' }));
    expect(written(...problems)).toMatchObject({
      runs: [
        {
          tool: {
            driver: {
              rules: [
                { id: 'InvalidCIDR', shortDescription: { text: 'Invalid CIDR' } },
                { id: 'NoEffect', defaultConfiguration: { level: 'warning' } },
                { id: 'WrongType' },
              ],
            },
          },
          results: [{ ruleIndex: 2 }, { ruleIndex: 0 }, { ruleIndex: 2 }, { ruleIndex: 1, level: 'warning' }],
        },
      ],
    });
  });

  it.each([
    ['nothing', []],
    ['a problem', [PROBLEM]],
    ['a problem of a whole document', [{ ...PROBLEM, path: '' }]],
    ['a file of another folder', [{ ...PROBLEM, file: '/etc/a b.yaml' }]],
    ['a file above', [{ ...PROBLEM, file: '../a:b%.yaml' }]],
    ['a file that cannot be read', [{ ...PROBLEM, reason: 'Unreadable', path: '' }]],
    ['standard input', [{ ...PROBLEM, file: '-' }]],
  ])('has the form that the specification asks for, of %s', (_, problems: readonly Problem[]) => {
    expect(violationsOf(written(...problems), SARIF_FORM)).toEqual([]);
  });

  it('is judged by a form that finds what is wrong', () => {
    const log = written(PROBLEM);
    if (!isObject(log)) throw new Error('no log');
    expect(violationsOf({ ...log, version: '2.0.0', more: 1 }, SARIF_FORM)).toEqual(['/version: "2.0.0"', '/more: unknown']);
    expect(
      violationsOf({ ...log, runs: [{ tool: { driver: {} }, results: [{ level: 'fatal', message: {}, locations: [{}] }] }] }, SARIF_FORM),
    ).toEqual(['/runs/0/tool/driver/name: missing', '/runs/0/results/0/message/text: missing', '/runs/0/results/0/level: "fatal"']);
  });
});
