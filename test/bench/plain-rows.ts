/**
 * Lists beside plain `node:http`, or `node:http2` over TLS, that writes the very same bytes from memory. The two take
 * turns, so that what else the machine does concerns both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/server.ts';
import { withConnections, type Connection } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { GZIP } from './list-rows.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { COLLECTION, get } from './sample-object.ts';
import type { Target } from './target.ts';

const CLIENTS = [1, 4];
const ROUNDS = 4;
const START_MS = 30_000;
const WAYS = [
  { name: 'list', request: get(COLLECTION), path: '/' },
  { name: 'list gzip', request: get(COLLECTION, GZIP), path: '/gzip' },
] as const;

export async function plainRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { secure } = objects.target.address();
  const certificate = secure === undefined ? undefined : objects.target.own?.serverCertificate?.();
  if (secure !== undefined && certificate === undefined) return;
  const directory = await temporaryDirectory();
  let sessions: Http2Sessions | undefined;
  try {
    const files = await Promise.all(
      WAYS.map(async ({ name, request }) => {
        const file = join(directory.path, name);
        await writeFile(file, await answerTo(objects, request));
        return file;
      }),
    );
    for (const [name, text] of Object.entries(certificate ?? {})) {
      const file = join(directory.path, name);
      await writeFile(file, text, { mode: 0o600 });
      files.push(file);
    }
    const server = fork(join(import.meta.dirname, 'plain-server.ts'), files, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    try {
      const [port] = (await once(server, 'message', { signal: AbortSignal.timeout(START_MS) })) as [number];
      if (secure !== undefined) sessions = new Http2Sessions({ url: `https://127.0.0.1:${port}`, ca: secure.ca });
      const over = secure === undefined || sessions === undefined ? {} : { secure: { ca: secure.ca, sessions } };
      const plain: Target = {
        name: secure === undefined ? 'node:http' : 'node:http2',
        address: () => ({ host: '127.0.0.1', port, ...over }),
        metrics: async () => '',
        ...(server.pid === undefined ? {} : { processId: server.pid }),
        close: async () => {},
      };
      for (const clients of CLIENTS) for (const way of WAYS) await inTurns(way, { objects, report, seconds, clients, plain });
    } finally {
      server.kill('SIGKILL');
    }
  } finally {
    sessions?.close();
    await directory.remove();
  }
}

async function answerTo({ target }: Objects, request: string): Promise<Buffer> {
  const [reply] = await withConnections(target.address(), 1, (connection) => connection.send(request, true));
  if (reply?.code !== 200) throw new Error(`a list: ${reply?.code ?? 0}`);
  return reply.body;
}

interface LoopTicks {
  readonly objects: Objects;
  readonly report: Report;
  readonly seconds: number;
  readonly clients: number;
  readonly plain: Target;
}

async function inTurns(
  { name, request, path }: (typeof WAYS)[number],
  { objects, report, seconds, clients, plain }: LoopTicks,
): Promise<void> {
  const { target } = objects;
  const ways = [
    { label: `in turns with ${plain.name}`, target, request },
    { label: `${plain.name} with the same bytes`, target: plain, request: get(path) },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      const work = async (connection: Connection) => (await connection.send(way.request)).code === 200;
      const { perSecond, details } = await generateLoad({ target: way.target, clients, seconds: seconds / ROUNDS, work });
      report.add({
        target: target.name,
        name: `${name}, ${clients} client${clients === 1 ? '' : 's'} of ${objects.label}, ${way.label}`,
        value: perSecond,
        unit: '/s',
        details,
      });
    }
  }
}
