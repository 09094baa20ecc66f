/**
 * Calls to etcd. A call is sent only over an established connection, so it is certain whether it was sent. It is sent
 * again, to another member, only when the first certainly did not process it.
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
      // Loaded on demand: the etcd3 package and grpc-js take a tenth of the start time and 6 MB.
      const { createLoginCall } = await import('./login-call.ts');
      return this.#sendOnce(await createLoginCall(options.servers[0] ?? '', name, password), undefined);
    });
  }

  /** Rejects with StorageError when the call was certainly not executed, else with GrpcError. */
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
        const isUnprocessed = error instanceof UnprocessedError && !error.atStreamLimit;
        const isRefused = needsNewToken(error);
        if (isMemberFailure(error)) {
          members.moveOn(member);
          // A refusal proves that the connection is alive.
          if (!(error instanceof UnprocessedError)) this.#cluster.suspect(member);
        }
        if (isRefused) this.login.invalidate(token);
        // Retried once per reason, because a restarted member may give both.
        if (isUnprocessed && !wasUnprocessed) wasUnprocessed = true;
        else if (isRefused && !hasNewToken) hasNewToken = true;
        else throw error instanceof UnprocessedError ? notDone(error) : error;
      }
    }
  }

  async #send<Answer>(connection: EtcdConnection, member: number, call: UnaryCall<Answer>, token: string | undefined): Promise<Answer> {
    // Repeated, because a member may stop just after it has passed a test.
    const timer = setInterval(() => this.#cluster.suspect(member), this.#cluster.suspectAfterMs);
    try {
      return await connection.call(call, token);
    } finally {
      clearInterval(timer);
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
  new StorageError('Unreachable', `etcd did not accept the call: ${error.message}`, { cause: error });
