/**
 * Lists beside plain `node:http` that writes the very same bytes from memory. The two take turns, so that what else the machine does concerns both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/server.ts';
import { withConnections, type Address } from './connection.ts';
import { drive } from './drive.ts';
import { GZIP } from './list-rows.ts';
import type { Objects } from './objects.ts';
import type { Report } from './report.ts';
import { COLLECTION, get } from './sample-object.ts';

const TURNS = 4;
const START_MS = 30_000;
const WAYS = [
  { name: 'list', request: get(COLLECTION), path: '/' },
  { name: 'list gzip', request: get(COLLECTION, GZIP), path: '/gzip' },
] as const;

export async function plainRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const directory = await temporaryDirectory();
  try {
    const files = await Promise.all(
      WAYS.map(async ({ name, request }) => {
        const file = join(directory.path, name);
        await writeFile(file, await answerTo(objects, request));
        return file;
      }),
    );
    const server = fork(join(import.meta.dirname, 'plain-server.ts'), files, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    try {
      const [port] = (await once(server, 'message', { signal: AbortSignal.timeout(START_MS) })) as [number];
      for (const way of WAYS) await inTurns(way, { objects, report, seconds, address: { host: '127.0.0.1', port } });
    } finally {
      server.kill('SIGKILL');
    }
  } finally {
    await directory.remove();
  }
}

async function answerTo({ target }: Objects, request: string): Promise<Buffer> {
  const [reply] = await withConnections(target.address(), 1, (connection) => connection.send(request, true));
  if (reply?.code !== 200) throw new Error(`a list: ${reply?.code ?? 0}`);
  return reply.body;
}

interface Turns {
  readonly objects: Objects;
  readonly report: Report;
  readonly seconds: number;
  /** Of the plain server. */
  readonly address: Address;
}

async function inTurns({ name, request, path }: (typeof WAYS)[number], { objects, report, seconds, address }: Turns): Promise<void> {
  const { target } = objects;
  const plain = { name: 'node:http', address: () => address, metrics: async () => '', close: async () => {} };
  const ways = [
    { label: 'in turns with node:http', target, request, rates: new Array<number>() },
    { label: 'node:http with the same bytes', target: plain, request: get(path), rates: new Array<number>() },
  ];
  for (let turn = 0; turn < TURNS; turn++) {
    for (const way of ways) {
      const { perSecond } = await drive({
        target: way.target,
        clients: 1,
        seconds: seconds / TURNS,
        work: async (connection) => (await connection.send(way.request)).code === 200,
      });
      way.rates.push(perSecond);
    }
  }
  for (const { label, rates } of ways) {
    const value = rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0;
    report.add({ target: target.name, name: `${name} of ${objects.label}, ${label}`, value, unit: '/s', details: {} });
  }
}
