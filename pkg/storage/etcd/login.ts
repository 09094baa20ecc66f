/**
 * The token of the user, asked for once and kept until etcd refuses it. The `etcd3` package's own login is not used: it opens a channel that
 * nobody closes, and knows no deadline.
 */
import { needsNoToken, toStorageError } from './call-errors.ts';
import type { EtcdBackendOptions } from './options.ts';

/** Exchanges name and password for a token. Rejects with the error of the call. */
export type Authenticate = (name: string, password: string) => Promise<string | undefined>;

export class Login {
  readonly #user: Pick<EtcdBackendOptions, 'username' | 'password'>;
  readonly #authenticate: Authenticate;
  #token: string | undefined | Promise<string | undefined>;

  constructor(user: Pick<EtcdBackendOptions, 'username' | 'password'>, authenticate: Authenticate) {
    this.#user = user;
    this.#authenticate = authenticate;
  }

  /** What authorizes a call; undefined: nothing need. At once when it is known. Rejects with StorageError: the call that it was for was not sent. */
  token(): string | undefined | Promise<string | undefined> {
    const { username, password = '' } = this.#user;
    if (username === undefined) return undefined;
    this.#token ??= this.#ask(username, password);
    return this.#token;
  }

  /** etcd refused it: another one is asked for next time. */
  forget(): void {
    this.#token = undefined;
  }

  async #ask(username: string, password: string): Promise<string | undefined> {
    try {
      const token = await this.#authenticate(username, password);
      if (token !== undefined) this.#token = token;
      return token;
    } catch (error) {
      if (needsNoToken(error)) return undefined;
      this.#token = undefined;
      throw toStorageError(error);
    }
  }
}
