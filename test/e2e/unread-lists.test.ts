/** Lists that nobody reads: each holds little, and for a while only. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectionPath, CONTROLLER_REVISION } from '../support/kinds.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, secureFlags, type TestStore } from '../support/test-store.ts';
import { createTokenClient, type TokenClient } from '../support/token-client.ts';
import { createUnreadAnswers, type UnreadAnswers } from '../support/unread-answers.ts';
import { deadline, waitFor } from '../support/wait.ts';

const TOKEN = 'good-token';
const COLLECTION = collectionPath(CONTROLLER_REVISION, 'large');
const OBJECTS = 100;
const OBJECT_BYTES = 100_000;
const READERS = 60;
/**
 * Of a list that is not taken: what the connection was handed, encrypted, and what it is about to be handed. The list
 * is 10 MB. What is resident has garbage in it as well, as long as no collection came: 0.8 to 1.4 MB for each were
 * seen.
 */
const HELD_BYTES = 2_500_000;
const TIMEOUT_MS = 5000;

let store: TestStore;
let server: SecureServer;
let answers: UnreadAnswers;
let send: TokenClient;

/** What the server's metrics say, at most a second old. */
async function figures(): Promise<{ readonly residentBytes: number; readonly running: number }> {
  const text = await send('GET', '/metrics');
  return {
    residentBytes: Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]),
    running: Number(/^apiserver_current_inflight_requests\{request_kind="readOnly"\} (\d+)$/m.exec(text)?.[1]),
  };
}

describe.each(BACKENDS)('On %s', (backend) => {
  beforeAll(async () => {
    store = await openTestStore(backend);
    server = await startSecureServer([...secureFlags(store), '--request-timeout', `${TIMEOUT_MS}ms`], {
      tokens: [{ token: TOKEN, user: 'jane', groups: ['system:masters'] }],
    });
    answers = createUnreadAnswers(server, TOKEN);
    send = createTokenClient(server, TOKEN);
    const data = { data: 'x'.repeat(OBJECT_BYTES) };
    for (let i = 0; i < OBJECTS; i++)
      await send('POST', COLLECTION, { ...CONTROLLER_REVISION.sample(`r${String(i).padStart(3, '0')}`, 'large'), data });
  }, 60_000);
  afterAll(async () => {
    answers.close();
    await server.stop();
    await store.close();
  });

  describe('A list that its client does not read', () => {
    it('holds little of the server, and is cut off after the time of a request, however many there are', async () => {
      const { overHttp1, overHttp2, openSession } = answers;
      const forms = [{}, { accept: 'application/vnd.kubernetes.protobuf' }, { accept: 'application/yaml' }];
      // What is remembered of a form is remembered now.
      const one = await overHttp1(COLLECTION, forms[1]);
      one.read(() => undefined);
      expect(await one.ended).toBe('in good order');
      const before = (await figures()).residentBytes;
      const session = await openSession();
      const unread = await Promise.all(
        Array.from({ length: READERS }, (_, i) => {
          const headers = forms[(i >> 1) % forms.length] ?? {};
          return i % 2 === 0 ? overHttp1(COLLECTION, headers) : overHttp2(session, COLLECTION, headers);
        }),
      );
      let most = 0;
      const running = async () => {
        const now = await figures();
        most = Math.max(most, now.residentBytes - before);
        return now.running - 1; // without the one that asks
      };
      // The figures may be of before.
      await waitFor(async () => (await running()) === READERS, { what: 'all of the requests', everyMs: 100 });
      await waitFor(async () => (await running()) === 0, { what: 'the end of the requests', timeoutMs: TIMEOUT_MS * 3, everyMs: 100 });
      expect(most).toBeLessThan(READERS * HELD_BYTES);
      for (const { read } of unread) read(() => undefined);
      const ends = await Promise.all(unread.map(({ ended }) => deadline(ended, TIMEOUT_MS * 3, 'the cut')));
      expect(new Set(ends)).toEqual(new Set(['cut off']));
    }, 60_000);
  });
});
