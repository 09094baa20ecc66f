import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import type { Command } from './client-file.ts';
import { lastLines, runCommand, shown } from './run-command.ts';

const folder = tmpdir();
const script = (text: string): Command => ['node', '--eval', text];
const run = (command: Command, limitMs = 20_000) => runCommand(command, { folder, limitMs });

describe('A command', () => {
  it('that ends with 0 has no problem', async () => {
    const end = await run(script('console.log(process.version); console.error("beside")'));
    expect(end).toMatchObject({ problem: undefined, stdout: `${process.version}\n`, stderr: 'beside\n' });
  });

  it.each([
    ['an exit code', script('process.exit(3)'), 'exit code 3'],
    ['a signal', script('process.kill(process.pid, "SIGKILL")'), 'ended by SIGKILL'],
    ['a program that is not there', ['no-such-program-anywhere'], 'no-such-program-anywhere is not installed'],
  ] as const)('has the problem of %s', async (_, command, problem) => {
    expect((await run(command)).problem).toBe(problem);
  });

  it('is ended at its limit, with what it has started', async () => {
    const child = `require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' })`;
    expect((await run(script(`${child}; setInterval(() => {}, 1e6)`), 500)).problem).toBe('did not end within 0.5 s');
  });

  it('tells each line that it writes while it runs', async () => {
    const lines: string[] = [];
    const text = 'process.stdout.write("one\\ntw"); setTimeout(() => process.stdout.write("o\\n"), 20)';
    await runCommand(script(text), { folder, limitMs: 20_000, onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['one', 'two']);
  });

  it('gets its variables on top of ours', async () => {
    const env = { COXSWAIN_NAMESPACE: 'mine' };
    const { stdout } = await runCommand(script('console.log(process.env.COXSWAIN_NAMESPACE, process.env.PATH.length > 0)'), {
      folder,
      env,
      limitMs: 20_000,
    });
    expect(stdout).toBe('mine true\n');
  });

  it('is shown with quotes where they are needed', () => {
    expect(shown(['go', 'build', '-o', 'bin/', './...', 'a b'])).toBe("go build -o bin/ ./... 'a b'");
  });
});

it('Of a long text the last lines are shown', () => {
  expect(lastLines('one\ntwo\nthree\n\n', 2)).toBe('two\nthree');
});
