import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import type { ClientFile, Command } from './client-file.ts';
import { prepare } from './prepare.ts';

const file = (tools: readonly Command[], commands: readonly Command[] = []): ClientFile => ({
  language: 'Go',
  client: 'x',
  tools,
  prepare: commands,
  programs: [],
});
const run = async (client: ClientFile) => {
  const said: string[] = [];
  return { ...(await prepare(client, tmpdir(), (line) => said.push(line))), said };
};

describe('Preparation', () => {
  it('runs what is to run, after the tools were found', async () => {
    const command: Command = ['node', '--eval', '0'];
    expect(await run(file([['node', '--version']], [command, command]))).toEqual({
      state: 'ready',
      said: ['node --eval 0', 'node --eval 0'],
    });
  });

  it('names the tool that is missing, and runs nothing', async () => {
    const command: Command = ['node', '--eval', '0'];
    expect(await run(file([['no-such-tool', 'version']], [command]))).toEqual({
      state: 'missing',
      why: 'no-such-tool is not installed',
      said: [],
    });
    expect(await run(file([['node', '--eval', 'process.exit(2)']], [command]))).toEqual({
      state: 'missing',
      why: "node --eval 'process.exit(2)': exit code 2",
      said: [],
    });
  });

  it('fails with what a command said, and stops there', async () => {
    const failing: Command = ['node', '--eval', 'console.log("half"); console.error("broken"); process.exit(1)'];
    expect(await run(file([], [failing, ['node', '--version']]))).toMatchObject({
      state: 'failed',
      output: 'half\nbroken',
      said: [expect.stringContaining('half')],
    });
  });
});
