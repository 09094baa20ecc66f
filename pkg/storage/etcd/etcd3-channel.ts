/**
 * `EtcdChannel` on the `etcd3` package, which wraps grpc-js. Only its connections, TLS and credentials are used; not
 * its retries, circuit breaker, login or watcher.
 */
import { type Client, connectivityState, Metadata, type ServiceError, status, type StatusObject } from '@grpc/grpc-js';
import { rootCertificates } from 'node:tls';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import { StorageError } from '../errors.ts';
import { parseEndpoint } from './grpc/endpoint.ts';
import { MAX_WINDOW_BYTES } from '../../http2/frames.ts';
import { GrpcError, UnprocessedError } from './grpc/status.ts';
import type {
  ChannelOptions,
  EtcdChannel,
  EtcdConnection,
  EtcdStream,
  OpenChannel,
  StreamHead,
  StreamListener,
  UnaryCall,
} from './transport.ts';

const BACKOFF_MS = { first: 50, max: 1000 };
const REASON_MS = 100;
const NOT_READY = 'the connection accepts no more calls';

export const openEtcd3Channel: OpenChannel = (options) => {
  if (parseEndpoint(options.server, options.tls) === undefined)
    throw new StorageError('Unreachable', `${options.server}: not an http:// or https:// URL`);
  return new Etcd3Channel(options);
};

class Etcd3Channel implements EtcdChannel {
  readonly #options: ChannelOptions;
  #connection: Etcd3Connection;
  #isClosed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#connection = new Etcd3Connection(options);
  }

  readyNow(): EtcdConnection | undefined {
    return this.#connection.isReady() ? this.#connection : undefined;
  }

  async ready(timeoutMs: number): Promise<EtcdConnection> {
    const connection = this.#connection;
    try {
      await connection.ready(timeoutMs);
    } catch (error) {
      // grpc-js has no timeout for the first bytes of a connection.
      if (connection === this.#connection && connection.isConnecting()) this.reset();
      throw error;
    }
    if (this.#isClosed) throw new Error('Channel closed');
    return connection;
  }

  reset(): void {
    if (this.#isClosed) return;
    const dead = this.#connection;
    this.#connection = new Etcd3Connection(this.#options);
    dead.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
  }
}

class Etcd3Connection implements EtcdConnection {
  readonly #pool: ConnectionPool;
  readonly #client: Promise<Client>;
  readonly #callTimeoutMs: number;
  #known: Client | undefined;
  readonly #running = new Set<{ cancel(): void }>();

  constructor({ server, tls, callTimeoutMs, keepaliveMs, keepaliveTimeoutMs, streamWindowBytes = MAX_WINDOW_BYTES }: ChannelOptions) {
    const endpoint = parseEndpoint(server, tls);
    const isSecure = endpoint?.tls !== undefined;
    this.#callTimeoutMs = callTimeoutMs;
    this.#pool = new ConnectionPool({
      hosts: `${isSecure ? 'https' : 'http'}://${endpoint?.authority ?? ''}`,
      ...(isSecure ? { credentials: credentialsOf(endpoint.tls) } : {}),
      grpcOptions: {
        'grpc.keepalive_time_ms': keepaliveMs,
        'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
        'grpc.initial_reconnect_backoff_ms': BACKOFF_MS.first,
        'grpc.max_reconnect_backoff_ms': BACKOFF_MS.max,
        'grpc.max_receive_message_length': -1,
        'grpc.max_send_message_length': -1,
        'grpc.enable_retries': 0,
        'grpc.service_config_disable_resolution': 1,
        'grpc.enable_http_proxy': 0,
        // Calls and watches do not share connections.
        'grpc.use_local_subchannel_pool': 1,
        'grpc-node.flow_control_window': streamWindowBytes,
      },
    });
    // The client of any service works, because calls name their full path.
    this.#client = this.#pool.withConnection('KV', ({ client }) => (this.#known = client));
    this.#client.catch(() => undefined);
  }

  /** Starts to connect when the connection is idle. */
  isReady(): boolean {
    return this.#known?.getChannel().getConnectivityState(true) === connectivityState.READY;
  }

  isConnecting(): boolean {
    return this.#known?.getChannel().getConnectivityState(false) === connectivityState.CONNECTING;
  }

  async ready(timeoutMs: number): Promise<void> {
    const client = await this.#client;
    const error = await new Promise<Error | undefined>((resolve) => client.waitForReady(Date.now() + timeoutMs, resolve));
    if (error instanceof Error) throw new Error(this.isConnecting() ? 'no answer' : await connectError(client), { cause: error });
  }

  call<Answer>({ path, message, decode }: UnaryCall<Answer>, token: string | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const client = this.#known;
      if (client === undefined || !this.isReady()) {
        reject(new UnprocessedError(NOT_READY));
        return;
      }
      const deadline = Date.now() + this.#callTimeoutMs;
      const answered = (error: ServiceError | null, answer: Answer | undefined) => {
        this.#running.delete(call);
        if (error !== null) reject(toError(error));
        else if (answer !== undefined) resolve(answer);
        else reject(new GrpcError(status.INTERNAL, 'the server sent no message'));
      };
      const call = client.makeUnaryRequest<Uint8Array, Answer | undefined>(
        path,
        toBuffer,
        (bytes) => decode(bytes) ?? undefined,
        message,
        metadataOf(token),
        { deadline },
        answered,
      );
      this.#running.add(call);
    });
  }

  open({ path, token, metadata }: StreamHead, { onMessage, onEnd }: StreamListener): EtcdStream {
    const client = this.#known;
    if (client === undefined || !this.isReady()) throw new UnprocessedError(NOT_READY);
    const stream = client.makeBidiStreamRequest<Uint8Array, Buffer>(path, toBuffer, (bytes) => bytes, metadataOf(token, metadata));
    let isOver = false;
    const end = (error?: Error): void => {
      if (isOver) return;
      isOver = true;
      this.#running.delete(stream);
      onEnd(error);
    };
    this.#running.add(stream);
    stream.on('data', (message: Buffer) => {
      if (!isOver) onMessage(message);
    });
    stream.on('error', (error: ServiceError) => end(toError(error)));
    stream.on('status', ({ code, details }: StatusObject) => end(code === status.OK ? undefined : toError({ code, details })));
    return {
      send: (message) => {
        if (!isOver) stream.write(message);
      },
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      cancel: () => {
        isOver = true;
        this.#running.delete(stream);
        stream.cancel();
      },
    };
  }

  close(): void {
    for (const running of [...this.#running]) running.cancel();
    this.#pool.close();
  }
}

/** Why the last attempt to connect failed, which grpc-js reports only in the error of a call. */
async function connectError(client: Client): Promise<string> {
  const options = { deadline: Date.now() + REASON_MS };
  const error = await new Promise<ServiceError | null>((resolve) =>
    client.makeUnaryRequest('/', toBuffer, String, Buffer.alloc(0), new Metadata(), options, resolve),
  );
  return /Last error: (?:Error: )?(.*?)(?:\n|\s\(\d{4}-|\. Resolution note)/.exec(error?.details ?? '')?.[1] ?? 'no answer';
}

const toBuffer = (message: Uint8Array): Buffer => Buffer.from(message.buffer, message.byteOffset, message.byteLength);

function metadataOf(token: string | undefined, more: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(more)) metadata.set(name, value);
  if (token !== undefined) metadata.set('token', token);
  return metadata;
}

/** Default: the certificate authorities that Node trusts. */
function credentialsOf({ ca, cert, key }: NonNullable<ChannelOptions['tls']>) {
  const rootCertificate = ca ?? Buffer.from(rootCertificates.join('\n'));
  return cert === undefined || key === undefined ? { rootCertificate } : { rootCertificate, certChain: cert, privateKey: key };
}

/** grpc-js's texts for calls that certainly did not reach the server. */
const UNPROCESSED = /^(Stream refused by server|No connection established|Channel closed before)/;

function toError({ code, details }: Pick<StatusObject, 'code' | 'details'>): Error {
  if (code === status.UNAVAILABLE && UNPROCESSED.test(details)) return new UnprocessedError(details);
  // `close` cancels running calls.
  if (code === status.CANCELLED && details === 'Cancelled on client') return new GrpcError(status.UNAVAILABLE, 'Connection dropped');
  return new GrpcError(code, details);
}
