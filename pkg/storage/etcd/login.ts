/** The user's token, cached until etcd rejects it. The login of `etcd3` leaks a channel and has no deadline. */
import { needsNoToken, toStorageError } from './call-errors.ts';
import type { EtcdBackendOptions } from './options.ts';

/** Exchanges name and password for a token. */
export type Authenticate = (name: string, password: string) => Promise<string | undefined>;

export class Login {
  readonly #user: Pick<EtcdBackendOptions, 'username' | 'password'>;
  readonly #authenticate: Authenticate;
  /** `token` is undefined when authentication is disabled. */
  #known: { readonly token: string | undefined } | undefined;
  /** Shared by concurrent callers. */
  #pending: Promise<string | undefined> | undefined;

  constructor(user: Pick<EtcdBackendOptions, 'username' | 'password'>, authenticate: Authenticate) {
    this.#user = user;
    this.#authenticate = authenticate;
  }

  /** Undefined when no token is needed. Synchronous when it is cached. Rejects with StorageError. */
  token(): string | undefined | Promise<string | undefined> {
    const { username, password = '' } = this.#user;
    if (username === undefined) return undefined;
    if (this.#known !== undefined) return this.#known.token;
    this.#pending ??= this.#authenticateOnce(username, password).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Drops a rejected token, unless it was replaced already: a login is expensive for etcd. */
  invalidate(token: string | undefined): void {
    if (this.#known?.token === token) this.#known = undefined;
  }

  async #authenticateOnce(username: string, password: string): Promise<string | undefined> {
    let token: string | undefined;
    try {
      token = await this.#authenticate(username, password);
    } catch (error) {
      if (!needsNoToken(error)) throw toStorageError(error);
    }
    this.#known = { token };
    return token;
  }
}
