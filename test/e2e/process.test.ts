/** Starting and stopping: flags, signals, what survives. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { CRON_JOB, collectionPath, everywherePath } from '../support/kinds.ts';
import { freePorts } from '../support/free-port.ts';
import { runCoxswain, startServer, temporaryDirectory } from '../support/server.ts';
import { describeServer } from '../support/stores.ts';
import { deadline } from '../support/wait.ts';

const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0;
const namespace = 'process';
const collection = collectionPath(CRON_JOB, namespace);

describeServer('Process', (api) => {
  it('keeps every object, with the same resourceVersion, over a restart', async () => {
    const written = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await api.post(collection, CRON_JOB.sample(`kept-${index}`, namespace))).object()),
    );
    const before = (await api.get(collection)).list();
    await api.restart();
    const after = (await api.get(collection)).list();
    expect(after.items).toEqual(before.items);
    expect(after.items).toHaveLength(written.length);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(before.metadata.resourceVersion));
  });

  it('keeps what it acknowledged when it is killed', async () => {
    const acknowledged: string[] = [];
    let writing = true;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; writing; index++) {
        const name = `killed-${writer}-${index}`;
        const answer = await api.post(collection, CRON_JOB.sample(name, namespace)).catch(() => undefined);
        if (answer?.code === 201) acknowledged.push(name);
        if (acknowledged.length > 200) api.server().signal('SIGKILL');
        if (answer === undefined) writing = false;
      }
    });
    await Promise.all(writers);
    await api.server().ended;
    expect(acknowledged.length).toBeGreaterThan(200);
    await api.revive();
    const names = new Set((await api.get(collection)).list().items.map((item) => item.metadata.name));
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  }, 40_000);

  it('goes on with watches where they were before it was restarted', async () => {
    const from = (await api.post(collection, CRON_JOB.sample('before', namespace))).object().metadata.resourceVersion;
    const between = (await api.post(collection, CRON_JOB.sample('between', namespace))).object();
    await api.restart();
    const stream = await api.watch(`${everywherePath(CRON_JOB)}?watch=true&resourceVersion=${from}`);
    expect(await stream.next()).toEqual({ type: 'ADDED', object: between });
    const after = (await api.post(collection, CRON_JOB.sample('after', namespace))).object();
    expect(await stream.next()).toEqual({ type: 'ADDED', object: after });
    stream.close();
  });

  it('tells a watch that begins before its memory that it expired, and ends it', async () => {
    const stream = await api.watch(`${everywherePath(CRON_JOB)}?watch=true&resourceVersion=1`);
    const event = await stream.next();
    expect(event).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired' },
    });
    await expect(deadline(stream.ended, 5000, 'the watch to end')).resolves.toBe('end');
  });

  it('ends open watches cleanly and exits with 0 on SIGTERM', async () => {
    const watches = await Promise.all(
      Array.from({ length: 50 }, () => api.watch(`${everywherePath(CRON_JOB)}?watch=true&resourceVersion=0`)),
    );
    api.server().signal('SIGTERM');
    const ends = await deadline(Promise.all(watches.map((watch) => watch.ended)), 10_000, 'the watches to end');
    expect(new Set(ends)).toEqual(new Set(['end']));
    await expect(api.server().ended).resolves.toBe(0);
    await api.revive();
  });

  it('answers what runs before it exits on SIGTERM', async () => {
    const begun = Array.from({ length: 30 }, (_, index) =>
      api.post(collection, CRON_JOB.sample(`last-${index}`, namespace)).catch(() => undefined),
    );
    await Promise.race(begun);
    api.server().signal('SIGTERM');
    const answers = await Promise.all(begun);
    await expect(api.server().ended).resolves.toBe(0);
    await api.revive();
    for (const answer of answers) if (answer !== undefined && answer.code !== 201) expect(answer.code).toBe(503);
    const created = answers.flatMap((answer) => (answer?.code === 201 ? [answer.object().metadata.name] : []));
    expect(created.length).toBeGreaterThan(0);
    const names = (await api.get(collection)).list().items.map((item) => item.metadata.name);
    expect(names).toEqual(expect.arrayContaining(created));
  });
});

/** One sentence, no stack, no usage page. */
const ONE_SENTENCE = /^[^\n]{10,400}\n$/;

describe('coxswain', () => {
  it('prints its version', async () => {
    const result = await runCoxswain(['version']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/\d+\.\d+\.\d+/);
  });

  it.each(['serve', 'kubeconfig', 'version', 'help'])('says what %s does, asked in any way', async (command) => {
    const [asked, flagged, overview] = await Promise.all(
      [['help', command], [command, '--help'], ['--help']].map((args) => runCoxswain(args)),
    );
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asked?.stdout).toContain(`coxswain ${command}`);
    expect(overview?.stdout).toContain(`coxswain ${command}`);
    if (command !== 'help') expect(flagged).toEqual(asked);
  });

  it.each([
    ['an unknown flag', ['serve', '--no-such-flag'], 'no-such-flag'],
    ['a flag without its value', ['serve', '--insecure-port'], 'insecure-port'],
    ['a port that is no number', ['serve', '--insecure-port', 'http'], 'insecure-port'],
    ['a port out of range', ['serve', '--insecure-port', '70000'], 'insecure-port'],
    ['an endpoint that is no URL', ['serve', '--insecure-port', '0', '--etcd-servers', 'nonsense:::'], 'etcd-servers'],
    ['a group suffix that is no domain', ['serve', '--insecure-port', '0', '--group-suffix', 'No Suffix'], 'group-suffix'],
    ['a feature gate nobody knows', ['serve', '--insecure-port', '0', '--feature-gates', 'NoSuchGate=true'], 'NoSuchGate'],
    ['nothing to listen on', ['serve', '--insecure-port', '0', '--secure-port', '0'], 'secure-port'],
    ['an unknown command', ['dance'], 'dance'],
    ['help for an unknown command', ['help', 'dance'], 'dance'],
  ])('refuses %s in one sentence that names it', async (_what, args, named) => {
    const directory = await temporaryDirectory();
    const result = await runCoxswain(
      args.includes('serve') && !args.includes('--etcd-servers') ? [...args, '--data-dir', directory.path] : args,
    );
    await directory.remove();
    expect(result.code).not.toBe(0);
    expect(typeof result.code).toBe('number');
    expect(result.stderr).toMatch(ONE_SENTENCE);
    expect(result.stderr).toContain(named);
  });

  it('says in one sentence that no etcd answers, and exits', async () => {
    const port = await freePort();
    const result = await runCoxswain([
      'serve',
      '--secure-port',
      '0',
      '--insecure-port',
      String(await freePort()),
      '--etcd-servers',
      `http://127.0.0.1:${port}`,
    ]);
    expect(result.code).not.toBe(0);
    expect(typeof result.code).toBe('number');
    expect(result.stderr.trim().split('\n').at(-1)).toContain(`127.0.0.1:${port}`);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  }, 30_000);

  it('says in one sentence that the data directory cannot be used, and exits', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory.path, 'file');
    await writeFile(file, 'x');
    const result = await runCoxswain(['serve', '--secure-port', '0', '--insecure-port', String(await freePort()), '--data-dir', file]);
    await directory.remove();
    expect(result.code).not.toBe(0);
    expect(typeof result.code).toBe('number');
    expect(result.stderr).toContain(file);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  // Node's own recursive mkdir never comes back from a folder whose parent takes no new entries, such as /proc.
  it('says so of a folder that cannot be made, too', async () => {
    const result = await runCoxswain([
      'serve',
      '--secure-port',
      '0',
      '--insecure-port',
      String(await freePort()),
      '--data-dir',
      '/proc/coxswain/data',
    ]);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(ONE_SENTENCE);
    expect(result.stderr).toContain('/proc/coxswain');
  });

  it('stops on SIGTERM while it still waits for an etcd that says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const { port } = silent.address() as AddressInfo;
    const stop = new AbortController();
    const running = runCoxswain(
      ['serve', '--secure-port', '0', '--insecure-port', String(await freePort()), '--etcd-servers', `http://127.0.0.1:${port}`],
      {
        stop: stop.signal,
      },
    );
    await connected;
    stop.abort();
    const result = await deadline(running, 4000, 'the server to end');
    silent.close();
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('stopping');
  });

  it('refuses flags for an etcd without --etcd-servers', async () => {
    const result = await runCoxswain([
      'serve',
      '--secure-port',
      '0',
      '--insecure-port',
      String(await freePort()),
      '--etcd-cafile',
      '/none',
    ]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/^coxswain: .*--etcd-servers\n$/);
  });

  it.each([
    ['--etcd-cafile', []],
    ['--etcd-certfile', ['--etcd-keyfile', '/none']],
  ])('names the flag whose file is no PEM: %s', async (flag, others) => {
    const directory = await temporaryDirectory();
    const file = join(directory.path, 'broken.pem');
    await writeFile(file, 'no certificate');
    const key = others.map((other) => (other === '/none' ? file : other));
    const result = await runCoxswain(['serve', '--etcd-servers', 'https://127.0.0.1:1', flag, file, ...key, '--data-dir', directory.path]);
    await directory.remove();
    expect(result.code).not.toBe(0);
    expect(result.stderr).toBe(`coxswain: ${flag}: ${file} has no certificate in PEM that can be read\n`);
  });

  it('serves and stops although nobody reads what it prints any more', async () => {
    const directory = await temporaryDirectory();
    const server = await startServer(['--data-dir', directory.path], { closeOutput: true });
    await server.stop();
    await directory.remove();
  });

  it('says in one sentence that the port is taken, and exits', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const directory = await temporaryDirectory();
    const result = await runCoxswain(['serve', '--secure-port', '0', '--insecure-port', String(port), '--data-dir', directory.path]);
    taken.close();
    await directory.remove();
    expect(result.code).not.toBe(0);
    expect(typeof result.code).toBe('number');
    expect(result.stderr).toContain(String(port));
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses a second process on the same data directory and leaves the first alone', async () => {
    const directory = await temporaryDirectory();
    const first = await startServer(['--data-dir', directory.path]);
    const second = await runCoxswain([
      'serve',
      '--secure-port',
      '0',
      '--insecure-port',
      String(await freePort()),
      '--data-dir',
      directory.path,
    ]);
    expect(second.code).not.toBe(0);
    expect(typeof second.code).toBe('number');
    expect(second.stderr).toContain(directory.path);
    expect((await first.get('/readyz')).code).toBe(200);
    await first.stop();
    await directory.remove();
  });

  it('takes its flags from the environment and from a config file as well', async () => {
    const directory = await temporaryDirectory();
    const config = join(directory.path, 'coxswain.yaml');
    await writeFile(config, `group-suffix: example.com\n`);
    const server = await startServer(['--config', config], { env: { COXSWAIN_DATA_DIR: join(directory.path, 'data') } });
    expect((await server.get('/apis/storage.example.com/v1/volumeattachments')).code).toBe(200);
    expect((await server.get('/apis/storage.k8s.io/v1/volumeattachments')).code).toBe(404);
    await server.stop();

    const other = await runCoxswain([
      'serve',
      '--secure-port',
      '0',
      '--insecure-port',
      String(await freePort()),
      '--data-dir',
      join(directory.path, 'data'),
    ]);
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain('example.com');
    await directory.remove();
  });
});
