import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CLUSTER_HEAD as HEAD, openConfigFiles, streamsOf } from '../../../test/support/config-files.ts';
import { UsageError } from '../flag.ts';
import { checkConfig } from './check.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const check = (args: readonly string[], stdin = '') => checkConfig(args, streamsOf(stdin));

const { fileOf, pathOf } = openConfigFiles();
const exampleOf = (name: string) => path.join(root, 'examples/config', `${name}.yaml`);

describe('config check', () => {
  it('shows each line and points at what is meant', async () => {
    const text = `${HEAD}Generic:\n  Controlers: ["*"] # all\n  LeaderElection: {renewDeadline: 15s}\n`;
    expect(await check(['-'], text)).toEqual({
      exitCode: 1,
      text: `-:4:3: error: Generic.Controlers: is not a field of GenericControllerManagerConfiguration; did you mean Controllers?
  4 |   Controlers: ["*"] # all
    |   ^^^^^^^^^^
-:5:35: warning: Generic.LeaderElection.renewDeadline: is leaseDuration, 15s: allowed here, but a component does not start with it; it must be less
  5 |   LeaderElection: {renewDeadline: 15s}
    |                                   ^^^
-: 1 error, 1 warning
`,
      errorText: '',
    });
  });

  it('shows the part of a long line that is meant, and nothing that moves the cursor', async () => {
    const { text } = await check(
      ['-'],
      `{${' '.repeat(200)}"a\\u001b[2Jb": 1, "\u001b[2J": 2, kind: "LeaderMigrationConfiguration", apiVersion: x}${' '.repeat(200)}`,
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const lines = text.split('\n').filter((line) => line.includes(' | '));
    expect(Math.max(...lines.map((line) => line.length))).toBe(100);
  });

  it('says that a file is valid', async () => {
    const file = await fileOf('valid.yaml', HEAD);
    expect(await check([file])).toEqual({ exitCode: 0, text: `${file}: valid\n`, errorText: '' });
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

  it('sums up what several files hold', async () => {
    const [valid, warned, bad] = await Promise.all([
      fileOf('sum-valid.yaml', HEAD),
      fileOf('sum-warned.yaml', `${HEAD}Generic: {Port: 1}\n`),
      fileOf('sum-bad.yaml', `${HEAD}Generic: {Port: x}\n`),
    ]);
    const lastLine = async (...files: string[]) => (await check(files)).text.split('\n').at(-2);
    expect(await lastLine(valid, exampleOf('leader-migration'))).toBe('2 files: valid');
    expect(await lastLine(valid, warned, bad, valid)).toBe('3 files: 1 error, 1 warning');
    expect(await lastLine(bad, pathOf('sum-missing'))).toBe('2 files: 1 error, 1 cannot be read');
    expect(await check([valid, pathOf('sum-missing'), root])).toEqual({
      exitCode: 2,
      text: `${valid}: valid\n3 files: 2 cannot be read\n`,
      errorText: `coxswain: ${pathOf('sum-missing')}: the file cannot be read: there is no such file\ncoxswain: ${root}: the file cannot be read: it is a folder\n`,
    });
  });

  it('has colours when it is told to', async () => {
    const { text } = await check(['--color', 'always', '-'], `${HEAD}Generic: {Port: 1}\n`);
    expect(text).toContain('\u001b[33m');
    expect((await check(['--color=never', '-'], `${HEAD}Generic: {Port: 1}\n`)).text).toBe(text.replaceAll(/\u001b\[\d+m/g, ''));
  });

  it('knows the feature gates that the component is given', async () => {
    const text = `${HEAD}DeviceTaintEvictionController: {ConcurrentSyncs: 9}\n`;
    expect((await check(['--strict', '-'], text)).exitCode).toBe(0);
    const { exitCode, text: shown } = await check(['--strict', '--feature-gates', 'DRADeviceTaints=false', '-'], text);
    expect(exitCode).toBe(1);
    expect(shown).toContain('needs the feature gate DRADeviceTaints, which is set to false');
    await expect(check(['--feature-gates', 'Some', '-'], text)).rejects.toBeInstanceOf(UsageError);
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

  it('annotates each file where it is wrong, and a run where there is none', async () => {
    const file = await fileOf('a,b:c%.yaml', `${HEAD}Generic: {Port: x}\n`);
    const { text } = await check(['-o', 'github', file, '-'], `${HEAD}Generic: {Port: 1}\n`);
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/^::error file=.*a%2Cb%3Ac%25\.yaml,line=3,col=17,title=WrongType::Generic\.Port: must be/),
      '::warning title=NoEffect::Generic.Port: has no effect in current releases',
      '',
    ]);
  });

  it('writes annotations that no text of a file can break out of', async () => {
    const { text } = await check(['-o', 'github', '-'], `${HEAD}"a\\n::error::b,c%": 1\n`);
    expect(text).toBe('::error title=UnknownField::a%0A::error::b,c%25: is not a field of ClusterControllerManagerConfiguration\n');
  });

  it('accepts one suffix only when it is told to', async () => {
    expect((await check(['--group-suffix', 'example.org', '-'], HEAD)).exitCode).toBe(1);
    expect((await check(['--group-suffix', 'k8s.io', '-'], HEAD)).exitCode).toBe(0);
  });

  it.each([[[]], [['--nonsense', '-']], [['-o']], [['-o', 'xml', '-']]])('is called wrongly with %j', async (args) => {
    await expect(check(args)).rejects.toBeInstanceOf(UsageError);
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
    const files = ['cluster-controller-manager', 'cloud-controller-manager', 'leader-migration'].map(exampleOf);
    expect((await check(['-o', 'json', ...files])).text).toBe('[]\n');
  });
});
