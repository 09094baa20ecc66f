/**
 * The tour of the README, run as it stands: its shell blocks in order, in one bash, in a folder like a checkout,
 * against a server started as `make run` does. What a block is shown to print is compared with what it printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../support/free-port.ts';
import { KUBECTL_MINOR, KUBECTL_PROGRAM } from '../support/kubectl.ts';
import { runShell } from '../support/shell.ts';
import { startSecureServer, temporaryDirectory, type SecureServer, type TemporaryDirectory } from '../support/server.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const root = resolve(import.meta.dirname, '../..');
const TOUR_MS = 60_000;

interface Block {
  readonly commands: string;
  /** Undefined: the README does not show what it prints. */
  readonly shown: string | undefined;
}

/**
 * The README wants 1.25. Debian 12 has 1.20, which does all but this: `explain` looks otherwise, unknown fields are
 * found by kubectl itself, and `wait` takes no values, and what is gone already for a failure.
 */
const OLD_KUBECTL = KUBECTL_MINOR < 25;
const needsNewKubectl = ({ commands }: Block): boolean => /kubectl explain|schedul:/.test(commands);
const forOldKubectl = (commands: string): string => commands.replace(/^kubectl wait --for=.*\n/gm, '');

/** Between the two comments: ```sh blocks, each with the ```text block that follows it, if one does before the next. */
function readTour(): readonly Block[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tour = /<!-- tour -->(.*)<!-- \/tour -->/s.exec(readme)?.[1] ?? '';
  const fences = [...tour.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text: text ?? '' }));
  return fences.flatMap(({ language, text }, index) => {
    const next = fences[index + 1];
    return language === 'sh' ? [{ commands: text, shown: next?.language === 'text' ? next.text : undefined }] : [];
  });
}

/**
 * `…` stands for anything, an age for any age, white space for any white space: columns are as wide as what is in them.
 */
function patternOf(shown: string): RegExp {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const aged = escaped.replace(/ \d+[smhd]$/gm, String.raw` \d+[smhd]\S*`);
  return new RegExp(`^${aged.replace(/\s*…\s*/g, String.raw`[\s\S]*`).replace(/\s+/g, String.raw`\s+`)}$`);
}

/** Says which command failed, and in which block; a line of its own behind each block tells what belongs to it. */
const END = '=== end of block';
const scriptOf = (blocks: readonly string[]) => `set -eu -o pipefail
trap 'echo "failed: $BASH_COMMAND"' ERR
exec 2>&1
${blocks.map((commands, index) => `${commands}\necho '${END} ${index}'`).join('\n')}
`;

describe('The tour of the README', () => {
  const tour = OLD_KUBECTL ? readTour().filter((block) => !needsNewKubectl(block)) : readTour();
  let checkout: TemporaryDirectory | undefined;
  let server: SecureServer | undefined;
  let etcd: TestStore | undefined;
  let code: number | string = 'not run';
  let output = '';
  let substitute = (text: string): string => text;

  beforeAll(async () => {
    checkout = await temporaryDirectory();
    const folder = checkout.path;
    for (const name of ['bin', 'examples']) await symlink(join(root, name), join(folder, name));
    await symlink(KUBECTL_PROGRAM, join(folder, 'kubectl'));
    etcd = await openTestStore('etcd');
    server = await startSecureServer([], { dataDir: join(folder, 'data') });
    const [second = 0, proxy = 0] = await freePorts(2);
    // All that differs from what stands in the README: the ports, and the etcd with a prefix of our own.
    const { port } = server;
    const etcdFlags = etcd.flags.join(' ');
    substitute = (text) =>
      text
        .replaceAll('127.0.0.1:6443', `127.0.0.1:${port}`)
        .replaceAll('--secure-port 6444', `--secure-port ${second}`)
        .replaceAll('127.0.0.1:6444', `127.0.0.1:${second}`)
        .replaceAll('--port 8001', `--port ${proxy}`)
        .replaceAll('127.0.0.1:8001', `127.0.0.1:${proxy}`)
        .replaceAll('--etcd-servers http://127.0.0.1:2379', etcdFlags);
    const script = scriptOf(tour.map(({ commands }) => substitute(OLD_KUBECTL ? forOldKubectl(commands) : commands)));
    const bash = spawn('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // with a process group of its own, so that what it left running can be ended
    });
    bash.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    bash.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const endAll = () => {
      try {
        if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGKILL');
      } catch {
        // Nothing of it is left.
      }
    };
    const timer = setTimeout(endAll, TOUR_MS);
    const [exitCode, signal] = (await once(bash, 'exit')) as [number | null, string | null];
    clearTimeout(timer);
    endAll();
    code = exitCode ?? signal ?? 'unknown';
  }, TOUR_MS + 60_000);
  afterAll(async () => {
    await server?.stop();
    await etcd?.close();
    await checkout?.remove();
  });

  it('has blocks, and shows what most of them print', () => {
    expect(tour.length).toBeGreaterThanOrEqual(7);
    expect(tour.filter(({ shown }) => shown !== undefined).length).toBeGreaterThanOrEqual(5);
  });

  it('runs to its end', () => {
    const failed = output.split('\n').filter((line) => line.startsWith('failed: '));
    expect({ code, failed, output: code === 0 ? '' : output }).toEqual({ code: 0, failed: [], output: '' });
  });

  it('waits for a server no longer than it runs', async () => {
    const [wait = ''] = /^while .* done;/m.exec(tour.map(({ commands }) => commands).join('')) ?? [];
    expect(wait).toContain('curl');
    const { code } = await runShell(`false & ${wait}`, { cwd: checkout?.path ?? root });
    expect(code).toBe(0);
  });

  it.each(
    tour.flatMap(({ commands, shown }, index) => (shown === undefined ? [] : [{ title: commands.split('\n')[0] ?? '', shown, index }])),
  )('prints what it shows: $title …', ({ shown, index }) => {
    const from = index === 0 ? 0 : output.indexOf(`${END} ${index - 1}\n`);
    const to = output.indexOf(`${END} ${index}\n`);
    const printed = output.slice(index === 0 ? 0 : output.indexOf('\n', from) + 1, to);
    expect([from, to]).not.toContain(-1);
    expect(printed.trim()).toMatch(patternOf(substitute(shown)));
  });
});
