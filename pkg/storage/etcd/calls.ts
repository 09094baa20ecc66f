/**
 * Calls to etcd, each sent once, over connections of our own (`grpc/`): no package's choice of hosts, retries or circuit breaker comes in between.
 *
 * A call is sent only over a connection that stands, so "not sent" is certain and another member is tried then. The same goes for one that its
 * member has certainly not looked at. Everything else that was sent is never sent again.
 */
import { StorageError } from '../errors.ts';
import { isMemberFailure, needsNewToken } from './call-errors.ts';
import { connectMembers } from './connect-members.ts';
import { UnprocessedError } from './grpc/status.ts';
import type { Unary } from './grpc/unary.ts';
import { Login } from './login.ts';
import type { Members } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';

export class Calls {
  readonly #members: Members;
  readonly login: Login;

  /** Connects to nobody yet. */
  constructor(options: EtcdBackendOptions) {
    this.#members = connectMembers(options);
    this.login = new Login(options, async (name, password) => {
      // With it comes all of the package, and grpc-js: a tenth of the processor time of a start, and 6 MB, for those who need no login.
      const { createLoginCall } = await import('./login-call.ts');
      return this.#sendOnce(await createLoginCall(options.servers[0] ?? '', name, password), undefined);
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
        if (isMemberFailure(error) && at === this.#members.preferred) this.#members.moveOn();
        if (refused) this.login.forget(token);
        // Turned away at the door: nothing was done, so sending it again is no second try. Once for each reason, as a member that was started
        // again may give both.
        if (unprocessed && !unseen) unseen = true;
        else if (refused && !renewed) renewed = true;
        else throw error instanceof UnprocessedError ? notDone(error) : error;
      }
    }
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
