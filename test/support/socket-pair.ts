/** Both ends of a TCP connection on loopback. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface SocketPair {
  readonly near: Socket;
  readonly far: Socket;
  readonly close: () => void;
}

/** `allowHalfOpen` is that of the far end. */
export async function openSocketPair({ allowHalfOpen = false } = {}): Promise<SocketPair> {
  const server = createServer({ allowHalfOpen }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const near = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  const close = () => {
    near.destroy();
    far.destroy();
    server.close();
  };
  return { near, far, close };
}
