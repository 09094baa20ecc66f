/** Streams of watch responses, over the channels that watches have for themselves. */
import { AnswerStream } from './answer-stream.ts';
import type { Login } from './login.ts';
import type { Cluster } from './members.ts';
import type { WatchAnswer } from './wire.ts';

const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/** Without this a member that lost its leader keeps the stream open and silent. */
const METADATA = { hasleader: 'true' };

export class WatchStreams {
  readonly #cluster: Cluster;
  readonly #login: Login;
  /** Of the stream that was opened last. */
  #token: string | undefined;
  #member = 0;

  constructor(cluster: Cluster, login: Login) {
    this.#cluster = cluster;
    this.#login = login;
  }

  /**
   * A stream to the preferred member, opened once its connection is established. It never moves to another one by
   * itself. Rejects with `StorageError` Unreachable or Closed, or UnprocessedError.
   */
  async open(decode: (buffer: Buffer) => WatchAnswer): Promise<AnswerStream> {
    const token = await this.#login.token();
    this.#token = token;
    // Last of all: while something else is waited for, the connection may end.
    const members = this.#cluster.watches;
    const connection = members.readyNow() ?? (await members.ready());
    this.#member = members.preferred;
    const head = { path: WATCH_PATH, token, metadata: METADATA };
    return new AnswerStream((listener) => connection.open(head, listener), decode);
  }

  /** True while it is not known whether the member of the last stream answers. */
  get isSuspected(): boolean {
    return this.#cluster.watches.isSuspected;
  }

  /** The member of the last stream failed: another is asked next, and its other connection is tested. */
  failed(): void {
    this.#cluster.watches.moveOn(this.#member);
    this.#cluster.suspect(this.#member);
  }

  /** A stream is silent that should not be. */
  suspect(): void {
    this.#cluster.suspect(this.#member);
  }

  forgetToken(): void {
    this.#login.forget(this.#token);
  }
}
