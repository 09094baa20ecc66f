import { Readable } from 'node:stream';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { collectBody } from './request-body.ts';

describe('A request body', () => {
  it('of a client that went before anybody asked for it has ended early', async () => {
    const message = new Readable({ read: () => undefined }).destroy();
    await once(message, 'close');
    await expect(collectBody(message, 10, () => true)).rejects.toMatchObject({ code: 400, message: 'the request body is incomplete' });
  });
});
