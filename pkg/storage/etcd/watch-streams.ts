/**
 * Streams of watch answers. Connections, TLS and credentials are the `etcd3` package's, one connection per member, apart from those of calls. Its
 * own watcher, choice of hosts, retries and circuit breaker are passed by: `withConnection` is used once per member, to get the client.
 */
import type { Client, ClientDuplexStream } from '@grpc/grpc-js';
import { connectivityState, Metadata } from '@grpc/grpc-js';
import { getCACertificates } from 'node:tls';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import { DEFAULT_CALL_TIMEOUT_MS, notAnEndpoint } from './calls.ts';
import { parseEndpoint } from './grpc/endpoint.ts';
import type { Login } from './login.ts';
import { Members, type Way } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';

const RECONNECT_MS = { first: 50, most: 1000 };

const identity = (message: Buffer): Buffer => message;

export class WatchStreams {
  readonly #members: Members<Client>;
  readonly #login: Login;
  /** Of the stream that was opened last. */
  #token: string | undefined;

  /** Connects to nobody yet. */
  static async open(options: EtcdBackendOptions, login: Login): Promise<WatchStreams> {
    const ways: Way<Client>[] = [];
    for (const server of options.servers) ways.push(await createWay(server, options));
    return new WatchStreams(new Members(ways, options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS), login);
  }

  private constructor(members: Members<Client>, login: Login) {
    this.#members = members;
    this.#login = login;
  }

  /** A stream to the preferred member, opened once its connection stands. It never moves to another one by itself. */
  async open<Answer>(path: string, decode: (buffer: Buffer) => Answer): Promise<ClientDuplexStream<Buffer, Answer>> {
    const client = this.#members.readyNow() ?? (await this.#members.ready());
    const token = await this.#login.token();
    this.#token = token;
    const metadata = new Metadata();
    if (token !== undefined) metadata.set('token', token);
    // Without this a member that lost its leader keeps the stream open and silent.
    metadata.set('hasleader', 'true');
    return client.makeBidiStreamRequest<Buffer, Answer>(path, identity, decode, metadata, {});
  }

  /** The preferred member failed: another is asked next. */
  moveOn(): void {
    this.#members.moveOn();
  }

  forgetToken(): void {
    this.#login.forget(this.#token);
  }

  close(): void {
    this.#members.close();
  }
}

async function createWay(server: string, options: EtcdBackendOptions): Promise<Way<Client>> {
  const endpoint = parseEndpoint(server, options.tls);
  if (endpoint === undefined) throw notAnEndpoint(server);
  // Said as calls understand it: the package has another default port, and would take a path for a part of the name.
  const host = `${endpoint.tls === undefined ? 'http' : 'https'}://${endpoint.authority}`;
  const client: Client = await createPool(host, options).withConnection('Watch', ({ client: made }) => made);
  const channel = client.getChannel();
  return {
    server,
    readyNow: () => (channel.getConnectivityState(true) === connectivityState.READY ? client : undefined),
    ready: (timeoutMs) =>
      new Promise((resolve, reject) => {
        // grpc-js compares deadlines with the system's clock, whatever clock the rest goes by.
        client.waitForReady(Date.now() + timeoutMs, (error) => {
          if (error === undefined) resolve(client);
          else reject(error);
        });
      }),
    close: () => client.close(),
  };
}

function createPool(host: string, { tls, keepaliveMs, keepaliveTimeoutMs }: EtcdBackendOptions): ConnectionPool {
  return new ConnectionPool({
    hosts: [host],
    ...(tls === undefined
      ? {}
      : {
          credentials: {
            // Those that TLS itself trusts, as calls do.
            rootCertificate: tls.ca ?? Buffer.from(getCACertificates('default').join('\n')),
            ...(tls.key === undefined ? {} : { privateKey: tls.key }),
            ...(tls.cert === undefined ? {} : { certChain: tls.cert }),
          },
        }),
    grpcOptions: {
      'grpc.keepalive_time_ms': keepaliveMs ?? 10_000,
      'grpc.keepalive_timeout_ms': keepaliveTimeoutMs ?? 5_000,
      'grpc.keepalive_permit_without_calls': 1,
      // Replays come in answers as large as etcd likes; a limit here would fail the stream again and again.
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.first,
      'grpc.min_reconnect_backoff_ms': RECONNECT_MS.first,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MS.most,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_channelz': 0,
      'grpc.enable_retries': 0,
      // Backends of one process have connections of their own.
      'grpc.use_local_subchannel_pool': 1,
      // Replays are megabytes; with HTTP/2's 64 KB they wait for a round trip per window.
      'grpc-node.flow_control_window': 4 * 1024 * 1024,
    },
  });
}
