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
});
