/** Two thousand watches that open, leave, or are ended in one moment: others are served in between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ticksBetween } from '../bench/loop-ticks.ts';
import { collectionPath, CONTROLLER_REVISION } from '../support/kinds.ts';
import { startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import { waitFor } from '../support/wait.ts';

const MANY = 2000;
const FEW = 200;
const WAIT_MS = 30_000;
/**
 * Processor time of one tick of the event loop. What Node does itself for so many connections cannot be divided, and
 * takes a third of it; with all of what the server does for them in the same tick it was twice as much.
 */
const LONGEST_TICK_MS = 250;
const WATCH = `GET ${collectionPath(CONTROLLER_REVISION, 'many')}?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const LAST_CHUNK = '\r\n0\r\n\r\n';

let server: ServerProcess;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startServer(['--data-dir', directory.path]);
  // Code that runs for the first time takes several times as long.
  const first = await connectClients(FEW);
  for (const client of first) client.watch();
  await waitFor(() => first.every(isAnswered), { what: 'the first watches', timeoutMs: WAIT_MS });
  for (const client of first) client.leave();
  await waitFor(async () => openWatches(await metrics()) === 0, { what: 'the first watches to end', timeoutMs: WAIT_MS });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await directory.remove();
});

interface Client {
  readonly watch: () => void;
  readonly leave: () => void;
  readonly received: () => string;
}

async function connectClient(): Promise<Client> {
  const socket: Socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { watch: () => socket.write(WATCH), leave: () => socket.destroy(), received: () => received };
}

const connectClients = (count: number): Promise<Client[]> => Promise.all(Array.from({ length: count }, connectClient));
const isAnswered = ({ received }: Client): boolean => received().startsWith('HTTP/1.1 200');

/** What clients do while the server stands still reaches it in one moment. */
function inOneMoment(act: () => void): void {
  server.signal('SIGSTOP');
  act();
  server.signal('SIGCONT');
}

const metrics = async (): Promise<string> => (await server.get('/metrics')).text;

const openWatches = (text: string): number =>
  Number(/^apiserver_longrunning_requests\{.*resource="controllerrevisions".*\} (\d+)$/m.exec(text)?.[1]);

/** Waits for so many open watches, reading all the while; the longest tick since `before`. */
async function longestTick(before: string, watches: number): Promise<number> {
  let after = before;
  await waitFor(
    async () => {
      expect((await server.get(collectionPath(CONTROLLER_REVISION, 'few'))).code).toBe(200);
      after = await metrics();
      return openWatches(after) === watches;
    },
    { what: () => `${watches} open watches instead of ${openWatches(after)}`, timeoutMs: WAIT_MS },
  );
  return ticksBetween(before, after)?.longestMs ?? NaN;
}

describe('Many watches', () => {
  it('open and leave in one moment without a long tick of the event loop, and end in good order when the server stops', async () => {
    const clients = await connectClients(MANY);
    const idle = await metrics();
    inOneMoment(() => {
      for (const client of clients) client.watch();
    });
    expect(await longestTick(idle, MANY)).toBeLessThanOrEqual(LONGEST_TICK_MS);
    await waitFor(() => clients.every(isAnswered), { what: 'all to be answered', timeoutMs: WAIT_MS });

    const watched = await metrics();
    inOneMoment(() => {
      for (const client of clients) client.leave();
    });
    expect(await longestTick(watched, 0)).toBeLessThanOrEqual(LONGEST_TICK_MS);

    const last = await connectClients(MANY);
    for (const client of last) client.watch();
    await waitFor(() => last.every(isAnswered), { what: 'all to be answered again', timeoutMs: WAIT_MS });
    await server.stop();
    await waitFor(() => last.every(({ received }) => received().endsWith(LAST_CHUNK)), { what: 'the end of each', timeoutMs: WAIT_MS });
  }, 120_000);
});
