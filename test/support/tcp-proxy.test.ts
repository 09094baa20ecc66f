import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { waitFor } from './wait.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Both ends of one connection through a proxy, and what has arrived at each. */
async function openPair(): Promise<{ proxy: TcpProxy; ends: readonly (readonly [Socket, () => string])[] }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const proxy = await openTcpProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  closing.push(() => proxy.close());
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const near = connect(proxy.port, proxy.host);
  const [far] = await accepted;
  const ends = [near, far].map((socket) => {
    let text = '';
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    closing.push(() => socket.destroy());
    return [socket, () => text] as const;
  });
  return { proxy, ends };
}

describe('a proxy that delays', () => {
  it('keeps the order of what passes, also when the delay ends, in both directions', async () => {
    const { proxy, ends } = await openPair();
    const expected = Array.from({ length: 20 }, (_, index) => `${index} `).join('');
    proxy.delay(50);
    for (let index = 0, sent = 0; index < 20; index++) {
      if (index === 10) proxy.delay(0);
      const chunk = `${index} `;
      for (const [socket] of ends) socket.write(chunk);
      sent += chunk.length;
      await waitFor(() => proxy.replyBytes === sent, { what: 'the chunk at the proxy', everyMs: 1 });
    }
    await waitFor(() => ends.every(([, text]) => text().length >= expected.length), { what: 'everything' });
    expect(ends.map(([, text]) => text())).toEqual([expected, expected]);
  });
});
