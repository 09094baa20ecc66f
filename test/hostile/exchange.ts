/** Sends bytes over a TLS connection of their own and gives what comes back, however the connection ends. */
import { once } from 'node:events';
import { connect } from 'node:tls';

export interface ExchangeTarget {
  readonly port: number;
  readonly ca: string;
  readonly protocol: 'http/1.1' | 'h2';
}

/** A server that has nothing more to say for so long waits for more of the request. */
const QUIET_MS = 100;
/** A server that neither answers nor closes. */
const STUCK_MS = 30_000;

export interface Exchanged {
  readonly received: Buffer;
  /** The client had to give up. */
  readonly isStuck: boolean;
}

/** `isDone`: nothing more will come, though the connection stays open. */
export async function exchangeBytes(
  { port, ca, protocol }: ExchangeTarget,
  bytes: Buffer,
  isDone: (received: Buffer) => boolean,
): Promise<Exchanged> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost', ALPNProtocols: [protocol] });
  const pieces: Buffer[] = [];
  const ended = Promise.withResolvers<boolean>();
  const finish = (isStuck: boolean) => () => ended.resolve(isStuck);
  const stuck = setTimeout(finish(true), STUCK_MS);
  let quiet: NodeJS.Timeout | undefined;
  const listen = () => {
    clearTimeout(quiet);
    quiet = setTimeout(finish(false), QUIET_MS);
  };
  socket.on('error', () => undefined);
  socket.once('close', finish(false));
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    if (isDone(Buffer.concat(pieces))) ended.resolve(false);
    else listen();
  });
  try {
    // A server that is busy with a heap snapshot ends handshakes that take too long. A dead one fails the test.
    if (
      !(await once(socket, 'secureConnect').then(
        () => true,
        () => false,
      ))
    )
      return { isStuck: false, received: Buffer.alloc(0) };
    socket.write(bytes, listen);
    return { isStuck: await ended.promise, received: Buffer.concat(pieces) };
  } finally {
    clearTimeout(stuck);
    clearTimeout(quiet);
    socket.destroy();
  }
}
