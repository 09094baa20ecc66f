/**
 * A real listener over a tiny responder, raw connections to it, and the counters that say whether anything was left
 * open.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { openInsecureListener, openSecureListener } from '../../pkg/server/lifecycle/listener.ts';
import type { Listener, SecureListener, TlsMaterial } from '../../pkg/server/lifecycle/listener.ts';
import type { TlsSettings } from '../../pkg/server/lifecycle/tls-contexts.ts';
import type { ApiRequest, ApiResponse, Responder } from '../../pkg/server/transports/request.ts';
import type { Http2Implementation } from '../../pkg/server/transports/http2-transport.ts';
import { TRANSPORT_LIMITS } from '../../pkg/server/transports/transport-limits.ts';
import type { TransportLimits } from '../../pkg/server/transports/transport-limits.ts';
import { RequestContext, type RequestHandler } from '../../pkg/server/filters/context.ts';
import { OpenRequests } from '../../pkg/server/filters/drain.ts';
import { hostGuard } from '../../pkg/server/filters/host-guard.ts';
import { loopbackGuard } from '../../pkg/server/filters/loopback-guard.ts';
import { upgradeGuard } from '../../pkg/server/filters/upgrade-guard.ts';
import { AllowedOrigins } from '../../pkg/server/filters/origins.ts';
import { waitFor } from '../support/wait.ts';

const pem = (name: string) => readFileSync(new URL(`../support/testdata/tls/${name}.pem`, import.meta.url), 'utf8');
export const ca = pem('ca');
export const client = { cert: pem('client'), key: pem('client-key') };
export const tls: TlsMaterial = { cert: pem('server'), key: pem('server-key'), clientCa: ca };

/** Short enough for a test that waits for one, long enough for a machine that does other work. */
export const SHORT: TransportLimits = {
  ...TRANSPORT_LIMITS,
  handshakeMs: 1000,
  headMs: 1000,
  requestMs: 1000,
  idleMs: 1000,
  unsentMs: 1000,
  sweepMs: 50,
};

export interface Transport<L extends Listener = Listener> {
  readonly listener: L;
  readonly port: number;
  /** Requests whose answer is not over. */
  readonly running: () => number;
  /** Requests that came so far. */
  readonly seen: () => number;
  /** Resolves once no request, stream or connection is open. */
  untilQuiet(): Promise<void>;
}

export interface TransportOptions {
  readonly http2?: Http2Implementation | 'off';
  readonly respond?: Responder;
  readonly limits?: TransportLimits;
  readonly tls?: TlsMaterial;
  readonly tlsSettings?: TlsSettings;
}

const text = (body: string, code = 200): ApiResponse => ({ code, headers: { 'Content-Type': 'text/plain' }, body: [Buffer.from(body)] });

/** What the paths of these tests do. `/watch` and `/never` run until their client goes or the server stops. */
async function answer(context: RequestContext): Promise<ApiResponse> {
  const { request } = context;
  switch (request.path) {
    case '/echo':
      return { code: 200, headers: {}, body: [await request.readBody(1 << 20)] };
    case '/certificate':
      return text(JSON.stringify(request.clientCertificate ?? null));
    case '/seen':
      return text(JSON.stringify([request.method, request.path, request.query, request.headers, request.protocol, request.secure]));
    case '/large':
      return { code: 200, headers: {}, body: [Buffer.alloc(20 << 20, 'x')] };
    case '/watch':
      context.becomeLongRunning(60_000);
      return {
        code: 200,
        headers: {},
        stream: async (writer) => {
          writer.write(Buffer.from('begun\n'));
          await aborted(context);
          writer.write(Buffer.from('ended\n'));
        },
      };
    case '/slow':
      await aborted(context);
      return text('late');
    default:
      return text('hello');
  }
}

const aborted = ({ signal }: RequestContext): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function createCounted(openRequests: OpenRequests, respond: Responder | undefined) {
  let running = 0;
  let seen = 0;
  const loopback = loopbackGuard({ allowedOrigins: new AllowedOrigins([]) });
  const handler: RequestHandler<RequestContext> = respond === undefined ? answer : ({ request }) => respond(request);
  const guarded = openRequests.filter(hostGuard(upgradeGuard(loopback(handler))));
  const counted: Responder = async (request: ApiRequest) => {
    running++;
    seen++;
    const context = new RequestContext(request, 0);
    const over = () => {
      running--;
      context.clearDeadline();
    };
    const answered = await guarded(context).catch((error: unknown) => text(String(error), error instanceof StatusError ? error.code : 500));
    if ('stream' in answered) return { ...answered, stream: (writer) => answered.stream(writer).finally(over) };
    over();
    return answered;
  };
  return { counted, running: () => running, seen: () => seen };
}

function toTransport<L extends Listener>(listener: L, running: () => number, seen: () => number): Transport<L> {
  let left = '';
  return {
    listener,
    port: Number(new URL(listener.url).port),
    running,
    seen,
    untilQuiet: () =>
      waitFor(
        async () => {
          const open = { ...(await listener.connections()), running: running() };
          left = JSON.stringify(open);
          return Object.values(open).every((count) => count === 0);
        },
        { what: () => `everything to be closed: ${left}`, timeoutMs: 5000 },
      ),
  };
}

export async function openSecure(options: TransportOptions = {}): Promise<Transport<SecureListener>> {
  const { respond, limits = TRANSPORT_LIMITS, ...more } = options;
  const openRequests = new OpenRequests();
  const { counted, running, seen } = createCounted(openRequests, respond);
  const listener = await openSecureListener({
    host: '127.0.0.1',
    port: 0,
    tls,
    respond: counted,
    openRequests,
    clock: systemClock,
    limits,
    ...more,
  });
  return toTransport(listener, running, seen);
}

export async function openPlain({ respond, limits = TRANSPORT_LIMITS }: TransportOptions = {}): Promise<Transport> {
  const openRequests = new OpenRequests();
  const { counted, running, seen } = createCounted(openRequests, respond);
  const listener = await openInsecureListener({ port: 0, respond: counted, openRequests, clock: systemClock, limits });
  return toTransport(listener, running, seen);
}

export async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

export async function dialTls(
  port: number,
  options: ConnectionOptions & { readonly allowHalfOpen?: boolean } = {},
  onSession = (_: Buffer): void => undefined,
): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost', ...options });
  socket.on('session', onSession);
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  return socket;
}

/** Everything that comes until the connection is closed; a reset is a close too. */
export function readAll(socket: Socket): Promise<string> {
  let all = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (all += piece));
  socket.once('end', () => socket.end());
  return new Promise((resolve) => {
    if (socket.closed) resolve(all);
    else socket.once('close', () => resolve(all));
  });
}

/** Sends the pieces, and gives everything that comes until the other side closes. */
export function exchange(socket: Socket, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const all = readAll(socket);
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  return all;
}
