import { describe, expect, it } from '@jest/globals';
import type { ApiRequest } from '../transports/request.ts';
import { RequestContext } from './context.ts';
import { OpenRequests } from './drain.ts';

const REQUEST: ApiRequest = {
  method: 'GET',
  path: '/',
  query: '',
  headers: {},
  protocol: 'http/1.1',
  secure: false,
  remoteAddress: '',
  readBody: async () => Buffer.alloc(0),
  onDisconnect: () => undefined,
};

const DONE = { code: 200, headers: {}, body: [] };

describe('OpenRequests', () => {
  it.each([true, false])('is idle after the last response, draining: %s', async (draining) => {
    const openRequests = new OpenRequests();
    const released = Promise.withResolvers<undefined>();
    const handle = openRequests.filter(async () => {
      await released.promise;
      return { code: 200, headers: {}, body: [] };
    });
    const answer = handle(new RequestContext(REQUEST, 0));
    if (draining) openRequests.drain();
    const idle = openRequests.idle();
    released.resolve(undefined);
    await answer;
    await expect(idle).resolves.toBeUndefined();
  });

  it('serves on after a stop was announced', async () => {
    const openRequests = new OpenRequests();
    openRequests.announceStop();
    const answer = await openRequests.filter(async () => DONE)(new RequestContext(REQUEST, 0));
    expect([answer.code, openRequests.stopping, openRequests.draining]).toEqual([200, true, false]);
  });

  it('refuses what comes while it waits for what runs, but not health and metrics', async () => {
    const openRequests = new OpenRequests();
    const released = Promise.withResolvers<undefined>();
    const running = openRequests.filter(() => released.promise.then(() => DONE))(new RequestContext(REQUEST, 0));
    const watch = openRequests.filter(async (context) => {
      context.becomeLongRunning(60_000);
      return { code: 200, headers: {}, stream: () => new Promise(() => undefined) };
    });
    const watching = new RequestContext(REQUEST, 0);
    await watch(watching);
    let isDone = false;
    const done = openRequests.refuseNew().then(() => (isDone = true));
    const ask = (path: string) => openRequests.filter(async () => DONE)(new RequestContext({ ...REQUEST, path }, 0));
    const refused = await ask('/api/v1/secrets');
    expect(refused).toMatchObject({ code: 429, headers: { 'Retry-After': '5', Connection: 'close' } });
    expect('body' in refused && String(refused.body[0])).toBe('The apiserver is shutting down, please try again later.\n');
    for (const path of ['/readyz', '/livez/ping', '/metrics']) expect((await ask(path)).code).toBe(200);
    expect([isDone, watching.signal.aborted]).toEqual([false, false]);
    released.resolve(undefined);
    await running;
    await done;
    watching.clearDeadline();
  });
});
