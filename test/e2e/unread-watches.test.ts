/** Watches whose clients do not read, on every transport: they are cut off, and nobody else notices. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectionPath, CONTROLLER_REVISION } from '../support/kinds.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { createUnreadAnswers, type UnreadAnswer, type UnreadAnswers } from '../support/unread-answers.ts';
import { createTokenClient } from '../support/token-client.ts';
import { deadline, waitFor } from '../support/wait.ts';

const WAIT_MS = 30_000;
const TOKEN = 'good-token';
const LARGE = collectionPath(CONTROLLER_REVISION, 'large');
const SMALL = collectionPath(CONTROLLER_REVISION, 'small');
/** Each fills what the two ends of a connection take on their own sooner than a thousand small ones. */
const LARGE_BYTES = 1_000_000;
const MAX_WRITES = 100;

let store: TestStore;
let server: SecureServer;
let answers: UnreadAnswers;
let send: (method: string, path: string, body?: unknown) => Promise<string>;

/** The values of the label `step` as they arrive. */
function stepsOf({ read }: UnreadAnswer): readonly number[] {
  const steps: number[] = [];
  let rest = '';
  read((piece) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) steps.push(Number(/"step":"(\d+)"/.exec(line)?.[1]));
  });
  return steps;
}

const revision = (namespace: string, step: number, data: string) => ({
  ...CONTROLLER_REVISION.sample(`r${step}`, namespace),
  metadata: { name: `r${step}`, namespace, labels: { step: String(step) } },
  data: { data },
});

async function terminated(): Promise<number> {
  const counted = /^apiserver_terminated_watchers_total\{group="apps",resource="controllerrevisions"\} (\d+)$/m;
  return Number(counted.exec(await send('GET', '/metrics'))?.[1]);
}

describe.each(BACKENDS)('On %s', (backend) => {
  beforeAll(async () => {
    store = await openTestStore(backend);
    server = await startSecureServer([...secureFlags(store), '--watch-buffer-bytes', '4Mi', '--watch-cache-ring-bytes', '1Mi'], {
      tokens: [{ token: TOKEN, user: 'jane', groups: ['system:masters'] }],
    });
    answers = createUnreadAnswers(server, TOKEN);
    send = createTokenClient(server, TOKEN);
  }, 60_000);
  afterAll(async () => {
    answers.close();
    await server.stop();
    await store.close();
  });

  describe('A watch that its client does not read', () => {
    it('is cut off on every transport, while a thousand others get every change', async () => {
      const from = /"resourceVersion":"(\d+)"/.exec(await send('GET', `${SMALL}?limit=1`))?.[1] ?? '';
      const large = `${LARGE}?watch=true&resourceVersion=${from}`;
      const small = `${SMALL}?watch=true&resourceVersion=${from}`;
      const { overHttp1, overHttp2, overWebSocket, openSession } = answers;
      const [session, ...sessions] = [await openSession(), ...(await Promise.all(Array.from({ length: 4 }, openSession)))];
      const stuck = [await overHttp1(large), await overHttp2(session, large), await overWebSocket(large)];
      const beside = [await overHttp1(large), await overHttp2(session, large), await overWebSocket(large)];
      const others = await Promise.all([
        ...sessions.flatMap((shared) => Array.from({ length: 220 }, () => overHttp2(shared, small))),
        ...Array.from({ length: 90 }, () => overHttp1(small)),
        ...Array.from({ length: 30 }, () => overWebSocket(small)),
      ]);
      expect(others).toHaveLength(1000);
      const seen = [...beside, ...others].map(stepsOf);

      let step = 0;
      for (; (await terminated()) < stuck.length && step < MAX_WRITES; step++) {
        await send('POST', LARGE, revision('large', step, 'x'.repeat(LARGE_BYTES)));
        await send('POST', SMALL, revision('small', step, ''));
        // Those who read keep up, however busy this process is with a thousand of them.
        await waitFor(() => seen.every(({ length }) => length > step), { what: `change ${step}`, timeoutMs: WAIT_MS, everyMs: 1 });
      }
      expect(await terminated()).toBe(stuck.length);
      const all = Array.from({ length: step }, (_, at) => at);
      for (const steps of seen) expect(steps).toEqual(all);

      // They had the beginning, in order, and learn that there was more.
      const read = stuck.map(stepsOf);
      expect(await Promise.all(stuck.map(({ ended }) => deadline(ended, WAIT_MS, 'the cut')))).toEqual(stuck.map(() => 'cut off'));
      for (const steps of read) {
        expect(steps.length).toBeLessThan(step);
        expect(steps).toEqual(all.slice(0, steps.length));
      }
      expect(await send('GET', '/metrics')).toMatch(/^apiserver_longrunning_requests\{.*resource="controllerrevisions".*\} 1003$/m);
    }, 120_000);
  });
});
