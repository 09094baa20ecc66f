/**
 * The token of the user, asked for once and kept until etcd refuses it. The `etcd3` package's own login is not used: it
 * opens a channel that nobody closes, and knows no deadline.
 */
import { needsNoToken, toStorageError } from './call-errors.ts';
import type { EtcdBackendOptions } from './options.ts';

/** Exchanges name and password for a token. Rejects with the error of the call. */
export type Authenticate = (name: string, password: string) => Promise<string | undefined>;

export class Login {
  readonly #user: Pick<EtcdBackendOptions, 'username' | 'password'>;
  readonly #authenticate: Authenticate;
  /** `token` undefined: nobody asks for one. */
  #known: { readonly token: string | undefined } | undefined;
  /** Whoever needs one meanwhile waits for the same. */
  #asked: Promise<string | undefined> | undefined;

  constructor(user: Pick<EtcdBackendOptions, 'username' | 'password'>, authenticate: Authenticate) {
    this.#user = user;
    this.#authenticate = authenticate;
  }

  /**
   * What authorizes a call; undefined: nothing need. At once when it is known. Rejects with StorageError: the call that
   * it was for was not sent.
   */
  token(): string | undefined | Promise<string | undefined> {
    const { username, password = '' } = this.#user;
    if (username === undefined) return undefined;
    if (this.#known !== undefined) return this.#known.token;
    this.#asked ??= this.#ask(username, password).finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  /**
   * etcd refused this one: another is asked for next time. Once only, however many calls were on their way with it: a
   * login costs etcd much.
   */
  forget(token: string | undefined): void {
    if (this.#known?.token === token) this.#known = undefined;
  }

  async #ask(username: string, password: string): Promise<string | undefined> {
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
