/**
 * Calls to etcd, each sent once: no library's choice of hosts, retries or circuit breaker comes in between.
 *
 * A call is sent only over an established connection, so "not sent" is certain, and then another member is tried. The
 * same goes for a call that its member has certainly not looked at. Everything else that was sent is never sent again.
 */
import { StorageError } from '../errors.ts';
import { isMemberFailure, needsNewToken } from './call-errors.ts';
import { UnprocessedError } from './grpc/status.ts';
import { Login } from './login.ts';
import type { Cluster } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';
import type { EtcdConnection, UnaryCall } from './transport.ts';

export class Calls {
  readonly #cluster: Cluster;
  readonly login: Login;

  constructor(options: EtcdBackendOptions, cluster: Cluster) {
    this.#cluster = cluster;
    this.login = new Login(options, async (name, password) => {
      // The etcd3 package and grpc-js take a tenth of a start and 6 MB, which a server without a login saves.
      const { createLoginCall } = await import('./login-call.ts');
      return this.#sendOnce(await createLoginCall(options.servers[0] ?? '', name, password), undefined);
    });
  }

  /** Rejects with `StorageError` Unreachable or Closed when it was certainly not done, else with gRPC's error. */
  async call<Answer>(call: UnaryCall<Answer>): Promise<Answer> {
    const members = this.#cluster.calls;
    let wasUnprocessed = false;
    let hasNewToken = false;
    for (;;) {
      const connection = members.readyNow() ?? (await members.ready());
      const member = members.preferred;
      const known = this.login.token();
      const token = known instanceof Promise ? await known : known;
      try {
        return await this.#send(connection, member, call, token);
      } catch (error) {
        const isUnprocessed = error instanceof UnprocessedError && !error.late;
        const isRefused = needsNewToken(error);
        if (isMemberFailure(error)) {
          members.moveOn(member);
          // A refusal is an answer: the connection lives.
          if (!(error instanceof UnprocessedError)) this.#cluster.suspect(member);
        }
        if (isRefused) this.login.forget(token);
        // Nothing was done, so sending it again is no second try. Once for each reason: a member that was restarted may
        // give both.
        if (isUnprocessed && !wasUnprocessed) wasUnprocessed = true;
        else if (isRefused && !hasNewToken) hasNewToken = true;
        else throw error instanceof UnprocessedError ? notDone(error) : error;
      }
    }
  }

  async #send<Answer>(connection: EtcdConnection, member: number, call: UnaryCall<Answer>, token: string | undefined): Promise<Answer> {
    // Again and again: a member may stop just after it has answered a test.
    const patience = setInterval(() => this.#cluster.suspect(member), this.#cluster.patienceMs);
    try {
      return await connection.call(call, token);
    } finally {
      clearInterval(patience);
    }
  }

  async #sendOnce<Answer>(call: UnaryCall<Answer>, token: string | undefined): Promise<Answer> {
    const members = this.#cluster.calls;
    const connection = members.readyNow() ?? (await members.ready());
    try {
      return await this.#send(connection, members.preferred, call, token);
    } catch (error) {
      throw error instanceof UnprocessedError ? notDone(error) : error;
    }
  }
}

const notDone = (error: UnprocessedError): StorageError =>
  new StorageError('Unreachable', `etcd took no call: ${error.message}`, { cause: error });
