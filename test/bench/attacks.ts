/**
 * `make bench-attacks`: hostile HTTP/2 traffic by a compiled client without credentials (`http2-attacks/`, wants Go),
 * and what another client of the same server meets meanwhile: this server with each of its HTTP/2 transports, and a
 * server of Go's standard library. Prints a Markdown table.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { freePorts } from '../support/free-port.ts';
import { startServer, temporaryDirectory } from '../support/server.ts';
import { resident } from './process-figures.ts';

const SOURCES = join(import.meta.dirname, 'http2-attacks');
const PROGRAMS = resolve(import.meta.dirname, '../../node_modules/.cache/http2-attacks');
const SERVERS = ['native', 'node', 'go'] as const;
/** Between writes of the slow attacker. */
const SLOW = '20ms';
const SAMPLE_MS = 200;
const START_MS = 20_000;
/** Pause after the last attack, in which the server may return memory. */
const REST_MS = 60_000;

type ServerName = (typeof SERVERS)[number];

interface Attacked {
  readonly port: number;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** What the attack client prints. */
interface Outcome {
  readonly requests: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly dials: number;
}

const { values } = parseArgs({
  options: {
    attacks: { type: 'string' },
    servers: { type: 'string', default: SERVERS.join(',') },
    connections: { type: 'string', default: '4,100' },
    seconds: { type: 'string', default: '5' },
    slow: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
  },
});

await promisify(execFile)('go', ['build', '-o', `${PROGRAMS}/`, './...'], { cwd: SOURCES });
const attacks = values.attacks?.split(',') ?? (await run(['-list'])).trim().split('\n');
console.log(
  `Attacks of ${values.seconds} s${values.slow ? `, ${SLOW} between two writes` : ''}; another client asks for /livez 50 times a second.\n`,
);
console.log('| attack | connections | server | p50 ms | p99 ms | failed | dialled | MB before | most MB |');
console.log('| ------ | ----------- | ------ | ------ | ------ | ------ | ------- | --------- | ------- |');
for (const name of values.servers.split(',')) {
  const known = SERVERS.find((each) => each === name);
  if (known === undefined) throw new Error(`--servers knows ${SERVERS.join(', ')}, not "${name}"`);
  await attackAll(known);
}

async function attackAll(name: ServerName): Promise<void> {
  const server = await start(name);
  try {
    await attack(server, name, 'none', '0');
    const first = resident(server.pid)?.residentMb ?? 0;
    for (const each of attacks) for (const connections of values.connections.split(',')) await attack(server, name, each, connections);
    if (!values.rest) return;
    await sleep(REST_MS);
    console.log(
      `\n${name}: ${first.toFixed(0)} MB before, ${(resident(server.pid)?.residentMb ?? 0).toFixed(0)} MB a minute after the last attack.\n`,
    );
  } finally {
    await server.stop();
  }
}

async function attack({ port, pid }: Attacked, server: ServerName, name: string, connections: string): Promise<void> {
  const before = resident(pid)?.residentMb ?? 0;
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, resident(pid)?.residentMb ?? 0)), SAMPLE_MS);
  const args = ['-address', `127.0.0.1:${port}`, '-seconds', values.seconds];
  const attacking = ['-ask=false', '-attack', name, '-connections', connections, ...(values.slow ? ['-pause', SLOW] : [])];
  // Two processes: in one, the client would wait for the attacker.
  const outputs = await Promise.all([run([...args, ...attacking]), run([...args, '-attack', 'none'])]);
  const [{ dials }, asked] = outputs.map((output) => JSON.parse(output) as Outcome) as [Outcome, Outcome];
  clearInterval(sampling);
  const cells = [name, connections, server, asked.p50Ms.toFixed(1), asked.p99Ms.toFixed(1), asked.failures, dials];
  console.log(`| ${[...cells, before.toFixed(0), most.toFixed(0)].join(' | ')} |`);
}

async function run(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(join(PROGRAMS, 'attack'), args)).stdout;
}

async function start(name: ServerName): Promise<Attacked> {
  const directory = await temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const ours = await startServer([
    '--data-dir',
    directory.path,
    '--secure-port',
    String(port),
    '--http2',
    name === 'node' ? 'node' : 'native',
  ]);
  const stop = async () => {
    await ours.stop();
    await directory.remove();
  };
  if (name !== 'go') return { port, pid: ours.pid, stop };
  // It serves with the certificate that ours has made.
  const pki = join(directory.path, 'pki');
  const go = spawn(join(PROGRAMS, 'go-server'), ['-cert', join(pki, 'server.crt'), '-key', join(pki, 'server.key')]);
  const [address] = (await once(createInterface(go.stdout), 'line', { signal: AbortSignal.timeout(START_MS) })) as [string];
  return {
    port: Number(address.split(':').at(-1)),
    pid: go.pid ?? 0,
    stop: async () => {
      go.kill();
      await stop();
    },
  };
}
