/**
 * Calls to etcd, each sent once, over connections of our own (`grpc/`): no package's choice of hosts, retries or circuit breaker comes in between.
 *
 * A call is sent only over a connection that stands, so "not sent" is certain and another member is tried then. The same goes for one that its
 * member has certainly not looked at. Everything else that was sent is never sent again.
 */
import { StorageError } from '../errors.ts';
import { isMemberFailure, needsNewToken } from './call-errors.ts';
import { loadGeneratedMethods, type GeneratedAnswer, type GeneratedMethods } from './generated-calls.ts';
import { Channel } from './grpc/channel.ts';
import type { Connection } from './grpc/connection.ts';
import { parseEndpoint } from './grpc/endpoint.ts';
import { UnprocessedError } from './grpc/status.ts';
import type { Unary } from './grpc/unary.ts';
import { Login } from './login.ts';
import { Members, type Way } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';

export const DEFAULT_CALL_TIMEOUT_MS = 10_000;

export class Calls {
  readonly #members: Members<Connection>;
  readonly #methods: GeneratedMethods;
  readonly login: Login;

  /** Connects to nobody yet. */
  static async open(options: EtcdBackendOptions): Promise<Calls> {
    return new Calls(options, await loadGeneratedMethods(options.servers[0] ?? ''));
  }

  private constructor(options: EtcdBackendOptions, methods: GeneratedMethods) {
    this.#members = new Members(
      options.servers.map((server) => createWay(server, options)),
      options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
    );
    this.#methods = methods;
    this.login = new Login(options, async (name, password) => {
      const { token } = await this.#sendOnce(this.#methods.authenticate({ name, password }), undefined);
      return typeof token === 'string' ? token : undefined;
    });
  }

  /** Rejects with `StorageError` Unreachable or Closed when it was certainly not done, else with gRPC's error. */
  async call<Answer>(call: Unary<Answer>): Promise<Answer> {
    let unseen = false;
    let renewed = false;
    for (;;) {
      const connection = this.#members.readyNow() ?? (await this.#members.ready());
      const at = this.#members.preferred;
      const kept = this.login.token();
      const token = kept instanceof Promise ? await kept : kept;
      try {
        return await connection.call(call, token);
      } catch (error) {
        const unprocessed = error instanceof UnprocessedError && !error.late;
        const refused = needsNewToken(error);
        if ((unprocessed || isMemberFailure(error)) && at === this.#members.preferred) this.#members.moveOn();
        if (refused) this.login.forget(token);
        // Turned away at the door: nothing was done, so sending it again is no second try. Once for each reason, as a member that was started
        // again may give both.
        if (unprocessed && !unseen) unseen = true;
        else if (refused && !renewed) renewed = true;
        else throw error instanceof UnprocessedError ? notDone(error) : error;
      }
    }
  }

  /** A call of the Maintenance service. Rejects as `call` does. */
  async maintenance(method: 'status' | 'alarm', request: object): Promise<GeneratedAnswer> {
    return this.call(this.#methods[method](request));
  }

  close(): void {
    this.#members.close();
  }

  async #sendOnce<Answer>(call: Unary<Answer>, token: string | undefined): Promise<Answer> {
    const connection = this.#members.readyNow() ?? (await this.#members.ready());
    try {
      return await connection.call(call, token);
    } catch (error) {
      throw error instanceof UnprocessedError ? notDone(error) : error;
    }
  }
}

const notDone = (error: UnprocessedError): StorageError =>
  new StorageError('Unreachable', `etcd took no call: ${error.message}`, { cause: error });

export const notAnEndpoint = (server: string): StorageError =>
  new StorageError('Unreachable', `${server}: it is no http:// or https:// URL`);

function createWay(server: string, options: EtcdBackendOptions): Way<Connection> {
  const { tls, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS, keepaliveMs = 10_000, keepaliveTimeoutMs = 5_000 } = options;
  const endpoint = parseEndpoint(server, tls);
  if (endpoint === undefined) throw notAnEndpoint(server);
  const channel = new Channel({ endpoint, callTimeoutMs, keepaliveMs, keepaliveTimeoutMs });
  return { server, readyNow: () => channel.readyNow(), ready: (timeoutMs) => channel.ready(timeoutMs), close: () => channel.close() };
}
