/**
 * The members of one etcd cluster: connections, TLS and credentials by the `etcd3` package, one connection per member and purpose.
 *
 * A call is sent only over a connection that stands, so "not sent" is certain and another member is tried then; once sent, a call is never
 * sent again. The package's own choice of hosts, retries and circuit breaker are passed by: `withConnection` is used once per service, to get the client.
 */
import type { CallOptions, ChannelOptions, Client, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { connectivityState, Metadata } from '@grpc/grpc-js';
import { rootCertificates } from 'node:tls';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import { StorageError } from '../errors.ts';
import { isMemberFailure, needsNewToken, needsNoToken, toStorageError } from './call-errors.ts';
import type { EtcdBackendOptions } from './options.ts';
import type { Unary } from './unary-call.ts';
import { callUnary } from './unary-call.ts';

type Service = 'KV' | 'Watch' | 'Maintenance' | 'Auth';

/** A method of the generated client: answers have 64-bit numbers as strings. */
type GeneratedMethod = (
  request: unknown,
  metadata: Metadata,
  options: CallOptions,
  done: (error: ServiceError | null, answer?: unknown) => void,
) => unknown;

/** Time the transport needs: grpc-js compares deadlines with the system's clock, whatever clock the rest goes by. */
const deadlineIn = (ms: number): number => Date.now() + ms;

const identity = (message: Buffer): Buffer => message;
const closed = (): StorageError => new StorageError('Closed', 'the etcd backend is closed');

/** How long a call waits for a connection before it is certain that it was not sent. */
const CONNECT_MS = 3000;

const RECONNECT_MS = { first: 50, most: 1000 };

interface Member {
  readonly server: string;
  readonly clients: Map<Service, Client>;
}

export class Members {
  readonly #options: EtcdBackendOptions;
  readonly #timeoutMs: number;
  readonly #members: readonly Member[];
  /** Index of the member that is asked first; moves on when it fails. */
  #preferred = 0;
  readonly #waiting = new Map<Service, Promise<Client>>();
  readonly #login: Login;
  #closed = false;

  private constructor(options: EtcdBackendOptions, members: readonly Member[], login: Login | undefined) {
    this.#options = options;
    this.#login = login ?? createLogin(options, (request) => this.#sendAnonymous('Auth', 'authenticate', request));
    this.#timeoutMs = options.callTimeoutMs ?? 10_000;
    this.#members = members;
  }

  /** For calls. Connects to nobody yet. */
  static async open(options: EtcdBackendOptions): Promise<Members> {
    return new Members(options, await createMembers(options, ['KV', 'Maintenance', 'Auth'], {}), undefined);
  }

  /** The same members over connections of their own: a range of many MB must not stand in the way of a watch. */
  async openForWatches(): Promise<Members> {
    const apart = { 'grpc.use_local_subchannel_pool': 1 };
    return new Members(this.#options, await createMembers(this.#options, ['Watch'], apart), this.#login);
  }

  /** Sends `call` once. Rejects with `StorageError` Unreachable or Closed when it was certainly not sent, else with gRPC's error. */
  async call<Answer>(call: Unary<Answer>): Promise<Answer> {
    return this.#send('KV', (client, metadata) => callUnary(client.getChannel(), call, metadata, deadlineIn(this.#timeoutMs)));
  }

  /** The rare calls, by the generated client. */
  async callGenerated(service: 'Maintenance', method: string, request: object): Promise<Readonly<Record<string, unknown>>> {
    return this.#send(service, (client, metadata) => this.#generated(client, method, request, metadata));
  }

  /** A stream to the preferred member, opened once its connection stands. It never moves to another one by itself. */
  async openStream<Answer>(path: string, decode: (buffer: Buffer) => Answer): Promise<ClientDuplexStream<Buffer, Answer>> {
    const client = this.#readyNow('Watch') ?? (await this.#ready('Watch'));
    const metadata = (await this.#login.metadata()).clone();
    // Without this a member that lost its leader keeps the stream open and silent.
    metadata.set('hasleader', 'true');
    return client.makeBidiStreamRequest<Buffer, Answer>(path, identity, decode, metadata, {});
  }

  /** The preferred member failed: another is asked next. */
  moveOn(): void {
    this.#preferred = (this.#preferred + 1) % this.#members.length;
  }

  forgetToken(): void {
    this.#login.forget();
  }

  close(): void {
    this.#closed = true;
    for (const { clients } of this.#members) for (const client of clients.values()) client.close();
  }

  async #send<Answer>(service: Service, send: (client: Client, metadata: Metadata) => Promise<Answer>): Promise<Answer> {
    const client = this.#readyNow(service) ?? (await this.#ready(service));
    const at = this.#preferred;
    try {
      return await send(client, await this.#login.metadata());
    } catch (error) {
      if (isMemberFailure(error) && at === this.#preferred) this.moveOn();
      if (!needsNewToken(error)) throw error;
    }
    // Refused at the door: nothing was done, so sending it again with a new token is no second try.
    this.#login.forget();
    return send(client, await this.#login.metadata());
  }

  async #sendAnonymous(service: Service, method: string, request: object): Promise<Readonly<Record<string, unknown>>> {
    return this.#generated(this.#readyNow(service) ?? (await this.#ready(service)), method, request, NO_METADATA);
  }

  #generated(client: Client, method: string, request: object, metadata: Metadata): Promise<Readonly<Record<string, unknown>>> {
    const call = (client as unknown as Record<string, GeneratedMethod | undefined>)[method];
    if (call === undefined) throw new Error(`the etcd3 package has no method ${method}`);
    return new Promise((resolve, reject) => {
      call.call(client, request, metadata, { deadline: deadlineIn(this.#timeoutMs) }, (error, answer) => {
        if (error !== null) reject(error);
        else resolve(typeof answer === 'object' && answer !== null ? { ...answer } : {});
      });
    });
  }

  #client(member: Member, service: Service): Client {
    const client = member.clients.get(service);
    if (client === undefined) throw new Error(`no ${service} client on this connection`);
    return client;
  }

  #readyNow(service: Service): Client | undefined {
    if (this.#closed) throw closed();
    const member = this.#members[this.#preferred];
    if (member === undefined) return undefined;
    const client = this.#client(member, service);
    return client.getChannel().getConnectivityState(true) === connectivityState.READY ? client : undefined;
  }

  /** The first member whose connection stands, which becomes the preferred one. Callers of one moment share the wait. */
  #ready(service: Service): Promise<Client> {
    const shared = this.#waiting.get(service);
    if (shared !== undefined) return shared;
    const waiting = this.#firstReady(service).finally(() => this.#waiting.delete(service));
    this.#waiting.set(service, waiting);
    return waiting;
  }

  async #firstReady(service: Service): Promise<Client> {
    const deadline = deadlineIn(Math.min(this.#timeoutMs, CONNECT_MS));
    const waits = this.#members.map(async (member, index) => {
      const client = this.#client(member, service);
      await untilReady(client, deadline);
      return { client, index };
    });
    try {
      const { client, index } = await Promise.any(waits);
      this.#preferred = index;
      return client;
    } catch (error) {
      if (this.#closed) throw closed();
      throw new StorageError('Unreachable', `no etcd answers at ${this.#options.servers.join(', ')}`, { cause: error });
    }
  }
}

const NO_METADATA = new Metadata();

function untilReady(client: Client, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(deadline, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}

interface Login {
  /** What authorizes a call. */
  metadata(): Promise<Metadata>;
  /** etcd refused it: ask for another one next time. */
  forget(): void;
}

/**
 * The token of the user, asked for once and kept until etcd refuses it. The package's own login is not used: it opens a channel that
 * nobody closes, and knows no deadline.
 */
function createLogin(
  { username, password }: EtcdBackendOptions,
  authenticate: (request: object) => Promise<Readonly<Record<string, unknown>>>,
): Login {
  let asked: Promise<Metadata> | undefined;
  const ask = async (): Promise<Metadata> => {
    try {
      const { token } = await authenticate({ name: username, password: password ?? '' });
      const metadata = new Metadata();
      if (typeof token === 'string') metadata.set('token', token);
      return metadata;
    } catch (error) {
      if (needsNoToken(error)) return NO_METADATA;
      asked = undefined;
      // Of our own class: whatever call the token was for was not sent.
      throw toStorageError(error);
    }
  };
  const anonymous = Promise.resolve(NO_METADATA);
  return {
    metadata: () => (username === undefined ? anonymous : (asked ??= ask())),
    forget: () => {
      asked = undefined;
    },
  };
}

async function createMembers(options: EtcdBackendOptions, services: readonly Service[], apart: ChannelOptions): Promise<Member[]> {
  const members: Member[] = [];
  for (const server of options.servers) {
    const pool = createPool(server, options, apart);
    const clients = new Map<Service, Client>();
    for (const service of services) clients.set(service, await pool.withConnection(service, ({ client }) => client));
    members.push({ server, clients });
  }
  return members;
}

function createPool(server: string, options: EtcdBackendOptions, apart: ChannelOptions): ConnectionPool {
  const { tls, keepaliveMs, keepaliveTimeoutMs } = options;
  return new ConnectionPool({
    hosts: [server],
    ...(tls === undefined
      ? {}
      : {
          credentials: {
            rootCertificate: tls.ca ?? Buffer.from(rootCertificates.join('\n')),
            ...(tls.key === undefined ? {} : { privateKey: tls.key }),
            ...(tls.cert === undefined ? {} : { certChain: tls.cert }),
          },
        }),
    grpcOptions: {
      'grpc.keepalive_time_ms': keepaliveMs ?? 10_000,
      'grpc.keepalive_timeout_ms': keepaliveTimeoutMs ?? 5_000,
      'grpc.keepalive_permit_without_calls': 1,
      // Pages are bounded by their bytes elsewhere; a limit here would fail the call after the work is done.
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.first,
      'grpc.min_reconnect_backoff_ms': RECONNECT_MS.first,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MS.most,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_channelz': 0,
      'grpc.enable_retries': 0,
      // Pages and replays are megabytes; with HTTP/2's 64 KB they wait for a round trip per window.
      'grpc-node.flow_control_window': 4 * 1024 * 1024,
      ...apart,
    },
  });
}
