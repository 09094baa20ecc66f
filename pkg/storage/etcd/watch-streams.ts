/** Opens watch streams, over channels that only watches use. */
import { AnswerStream } from './answer-stream.ts';
import type { Login } from './login.ts';
import type { Cluster } from './members.ts';
import type { WatchAnswer } from './wire.ts';

const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/** Without this, a member without a leader keeps the stream open but silent. */
const METADATA = { hasleader: 'true' };

export class WatchStreams {
  readonly #cluster: Cluster;
  readonly #login: Login;
  /** Token and member of the last opened stream. */
  #token: string | undefined;
  #member = 0;

  constructor(cluster: Cluster, login: Login) {
    this.#cluster = cluster;
    this.#login = login;
  }

  /** Opens a stream to the preferred member. Rejects with StorageError or UnprocessedError. */
  async open(decode: (buffer: Buffer) => WatchAnswer): Promise<AnswerStream> {
    const token = await this.#login.token();
    this.#token = token;
    // Awaited last, because the connection may close during another await.
    const members = this.#cluster.watches;
    const connection = members.readyNow() ?? (await members.ready());
    this.#member = members.preferred;
    const head = { path: WATCH_PATH, token, metadata: METADATA };
    return new AnswerStream((listener) => connection.open(head, listener), decode);
  }

  get isSuspected(): boolean {
    return this.#cluster.watches.isSuspected;
  }

  /** Prefers another member for the next stream, and tests the last one. */
  failed(): void {
    this.#cluster.watches.moveOn(this.#member);
    this.#cluster.suspect(this.#member);
  }

  suspect(): void {
    this.#cluster.suspect(this.#member);
  }

  invalidateToken(): void {
    this.#login.invalidate(this.#token);
  }
}
