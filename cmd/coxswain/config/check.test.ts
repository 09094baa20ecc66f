import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD as HEAD, openConfigFiles } from '../../../test/support/config-files.ts';
import { UsageError } from '../flag.ts';
import { checkConfig } from './check.ts';

const NOTHING = Readable.from([]);
const root = path.resolve(import.meta.dirname, '../../..');

const check = (args: readonly string[], stdin = '') => checkConfig(args, Readable.from([Buffer.from(stdin)]));

const { fileOf, pathOf } = openConfigFiles();

describe('config check', () => {
  it('shows each line and points at what is meant', async () => {
    const text = `${HEAD}Generic:\n  Controlers: ["*"] # all\n  LeaderElection: {renewDeadline: 15s}\n`;
    expect(await check(['-'], text)).toEqual({
      exitCode: 1,
      text: `-:4:3: error: Generic.Controlers: is no field of GenericControllerManagerConfiguration; did you mean Controllers?
  4 |   Controlers: ["*"] # all
    |   ^^^^^^^^^^
-:5:35: warning: Generic.LeaderElection.renewDeadline: is leaseDuration, 15s: allowed here, but a component does not start with it; it must be less
  5 |   LeaderElection: {renewDeadline: 15s}
    |                                   ^^^
-: 1 error, 1 warning
`,
    });
  });

  it('shows the part of a long line that is meant, and nothing that moves the cursor', async () => {
    const { text } = await check(
      ['-'],
      `{${' '.repeat(200)}"a\\u001b[2Jb": 1, "\u001b[2J": 2, kind: "LeaderMigrationConfiguration", apiVersion: x}${' '.repeat(200)}`,
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(
      Math.max(
        ...text
          .split('\n')
          .filter((line) => line.includes(' | '))
          .map((line) => line.length),
      ),
    ).toBeLessThan(120);
  });

  it('says that a file is valid', async () => {
    const file = await fileOf('valid.yaml', HEAD);
    expect(await check([file])).toEqual({ exitCode: 0, text: `${file}: valid\n` });
  });

  it('takes warnings for errors with --strict only', async () => {
    const file = await fileOf('old.yaml', HEAD.replace('clusterc', 'kubec').replace('ClusterC', 'KubeC'));
    expect((await check([file])).exitCode).toBe(0);
    expect((await check(['--strict', file])).exitCode).toBe(1);
    expect((await check([file, '--strict=false'])).exitCode).toBe(0);
  });

  it('ends with 2 when a file cannot be read, and checks the others', async () => {
    const file = await fileOf('bad.yaml', 'kind: x\n');
    const { exitCode, text } = await check(['-o', 'json', pathOf('missing.yaml'), file]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(text)).toMatchObject([
      { reason: 'Unreadable', line: 1 },
      { file, reason: 'UnknownKind' },
    ]);
  });

  it('writes one array with -o json', async () => {
    expect(JSON.parse((await check(['-ojson', '-'], `${HEAD}Generic: {Port: 70000}\n`)).text)).toEqual([
      {
        file: '-',
        document: 1,
        path: 'Generic.Port',
        line: 3,
        column: 17,
        severity: 'error',
        reason: 'OutOfRange',
        message: 'must be from 0 to 65535, not 70000',
      },
      expect.objectContaining({ reason: 'NoEffect', severity: 'warning' }),
    ]);
    expect((await check(['-o=json', '-'], HEAD)).text).toBe('[]\n');
  });

  it('writes SARIF', async () => {
    const { text } = await check(['-o', 'sarif', '-'], `${HEAD}Generic: {Port: 70000}\n`);
    expect(JSON.parse(text)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { rules: [{ id: 'NoEffect' }, { id: 'OutOfRange' }] } },
          results: [
            {
              ruleId: 'OutOfRange',
              ruleIndex: 1,
              level: 'error',
              locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 17 } } }],
            },
            { ruleId: 'NoEffect', level: 'warning' },
          ],
        },
      ],
    });
  });

  it('writes annotations that no text of a file can break out of', async () => {
    const { text } = await check(['-o', 'github', '-'], `${HEAD}"a\\n::error::b,c%": 1\n`);
    expect(text).toBe(
      '::error file=-,line=3,col=1,title=UnknownField::a%0A::error::b,c%25: is no field of ClusterControllerManagerConfiguration\n',
    );
  });

  it('accepts one suffix only when it is told to', async () => {
    expect((await check(['--group-suffix', 'example.org', '-'], HEAD)).exitCode).toBe(1);
    expect((await check(['--group-suffix', 'k8s.io', '-'], HEAD)).exitCode).toBe(0);
  });

  it.each([[[]], [['--nonsense', '-']], [['-o']], [['-o', 'xml', '-']]])('is called wrongly with %j', async (args) => {
    await expect(checkConfig(args, NOTHING)).rejects.toBeInstanceOf(UsageError);
  });

  it('looks at the files that are named with --check-files only', async () => {
    const text = `${HEAD}SAController:\n  RootCAFile: ${pathOf('missing.crt')}\n`;
    expect((await check(['-'], text)).exitCode).toBe(0);
    const { exitCode, text: shown } = await check(['-o', 'json', '--check-files', '-'], text);
    expect(exitCode).toBe(1);
    expect(JSON.parse(shown)).toMatchObject([{ path: 'SAController.RootCAFile', line: 4, column: 15, reason: 'File' }]);
    const both = JSON.parse((await check(['-ojson', '--check-files', '-'], `${text}Generic: 5\n`)).text);
    expect(both).toMatchObject([{ reason: 'File' }, { reason: 'WrongType' }]);
  });

  it('finds nothing in the examples', async () => {
    const files = ['cluster-controller-manager', 'cloud-controller-manager', 'leader-migration'].map((name) =>
      path.join(root, 'examples/config', `${name}.yaml`),
    );
    expect((await check(['-o', 'json', ...files])).text).toBe('[]\n');
  });
});
