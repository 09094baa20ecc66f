/** What the README shows of the `config` commands, run as it stands. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runShell } from '../support/shell.ts';

const root = resolve(import.meta.dirname, '../..');
const section = /<!-- config -->(.*)<!-- \/config -->/s.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
const blocks = [...section.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
const commands = blocks.filter(({ language }) => language === 'sh');

describe('The README', () => {
  it('has commands to try', () => expect(commands).toHaveLength(2));

  it('shows what the check says', async () => {
    const shown = blocks.find(({ language }) => language === 'text')?.text;
    expect(await runShell(commands[0]?.text ?? '', { cwd: root })).toEqual({ code: 1, stdout: shown, stderr: '' });
  });

  it('names commands that there are', async () => {
    const { code, stdout, stderr } = await runShell(`bash -e <<'END'\n${commands[1]?.text ?? ''}END`, { cwd: root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = [
      '# Default from',
      '.renewDeadline\n',
      'kind: Cluster',
      '+ CloudController',
      'kind: KubeController',
      '--kubeconfig=',
      'CONTROLLER ',
    ];
    for (const text of said) expect(stdout).toContain(text);
  });
});
