/** Lists by selector that many clients read slowly, at the same time: each client gets its own. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { freePorts } from '../support/free-port.ts';
import { collectionPath, CONTROLLER_REVISION } from '../support/kinds.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { createTokenClient, type TokenClient } from '../support/token-client.ts';
import { createUnreadAnswers, type UnreadAnswer, type UnreadAnswers } from '../support/unread-answers.ts';
import { deadline } from '../support/wait.ts';

const TOKEN = 'good-token';
const COLLECTION = collectionPath(CONTROLLER_REVISION, 'slow');
/** Of each there are 6 MB, more than the system takes for a connection of which nothing is read. */
const SHARDS = ['a', 'b', 'c'];
const OBJECTS = 120;
const OBJECT_BYTES = 50_000;
/** Rounds with further readers, while earlier ones still read. */
const ROUNDS = 3;
const WAIT_MS = 30_000;

let server: SecureServer;
let insecurePort: number;
let answers: UnreadAnswers;
let send: TokenClient;

async function overPlainHttp(path: string): Promise<UnreadAnswer> {
  const [message] = (await deadline(
    once(get(`http://127.0.0.1:${insecurePort}${path}`, { agent: false }), 'response'),
    WAIT_MS,
    'an answer',
  )) as [IncomingMessage];
  return {
    read: (take) => message.on('data', take),
    ended: once(message, 'close').then(() => (message.complete ? 'in good order' : 'cut off')),
  };
}

/** Reads to the end. Resolves with the digest of all bytes. */
async function digestOf({ read, ended }: UnreadAnswer): Promise<string> {
  const hash = createHash('sha256');
  read((bytes) => hash.update(bytes));
  expect(await deadline(ended, WAIT_MS, 'the end of a list')).toBe('in good order');
  return hash.digest('hex');
}

describe.each(['native', 'node'])('Over --http2 %s', (http2) => {
  beforeAll(async () => {
    [insecurePort = 0] = await freePorts(1);
    server = await startSecureServer(['--http2', http2, '--insecure-port', String(insecurePort)], {
      tokens: [{ token: TOKEN, user: 'jane', groups: ['system:masters'] }],
    });
    answers = createUnreadAnswers(server, TOKEN);
    send = createTokenClient(server, TOKEN);
    for (const shard of SHARDS) {
      for (let i = 0; i < OBJECTS; i++) {
        const sample = CONTROLLER_REVISION.sample(`${shard}-${i}`, 'slow');
        const metadata = { ...sample.metadata, labels: { shard } };
        await send('POST', COLLECTION, { ...sample, metadata, data: { shard: shard.repeat(OBJECT_BYTES) } });
      }
    }
  }, 60_000);
  afterAll(async () => {
    answers.close();
    await server.stop();
  });

  it('gives each reader its own list, whole, whoever else reads', async () => {
    const expected = new Map<string, string>();
    // Leases are renewed meanwhile, so lists of the newest state have different versions.
    const { metadata } = JSON.parse(await send('GET', `${COLLECTION}?limit=1`)) as { metadata: { resourceVersion: string } };
    const listOf = (shard: string) =>
      `${COLLECTION}?labelSelector=shard%3D${shard}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    for (const shard of SHARDS) {
      const text = await send('GET', listOf(shard));
      expect((JSON.parse(text) as { items: unknown[] }).items).toHaveLength(OBJECTS);
      expected.set(shard, createHash('sha256').update(text).digest('hex'));
    }
    const session = await answers.openSession();
    const checks: Promise<void>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const open = SHARDS.flatMap((shard) => [
        { shard, answer: overPlainHttp(listOf(shard)) },
        { shard, answer: answers.overHttp1(listOf(shard)) },
        { shard, answer: answers.overHttp2(session, listOf(shard)) },
      ]);
      // All have begun when the first is read, and those of the next round begin while these are read.
      await Promise.all(open.map(({ answer }) => answer));
      for (const { shard, answer } of open) {
        checks.push(answer.then(digestOf).then((digest) => expect({ shard, digest }).toEqual({ shard, digest: expected.get(shard) })));
      }
    }
    await Promise.all(checks);
  }, 60_000);
});
