/** Streams of watch answers, over connections apart from those of calls: a range of many MB must not stand in the way of a watch. */
import { AnswerStream } from './answer-stream.ts';
import { connectMembers } from './connect-members.ts';
import type { Login } from './login.ts';
import type { Members } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';
import type { WatchAnswer } from './wire.ts';

const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/** Without this a member that lost its leader keeps the stream open and silent. */
const METADATA = { hasleader: 'true' };

/** Replays are megabytes; with HTTP/2's 64 KB they would wait for a round trip per window. */
const WINDOW_BYTES = 4 * 1024 * 1024;

export class WatchStreams {
  readonly #members: Members;
  readonly #login: Login;
  /** Of the stream that was opened last. */
  #token: string | undefined;

  /** Connects to nobody yet. */
  constructor(options: EtcdBackendOptions, login: Login) {
    this.#members = connectMembers(options, WINDOW_BYTES);
    this.#login = login;
  }

  /**
   * A stream to the preferred member, opened once its connection stands. It never moves to another one by itself. Rejects with `StorageError`
   * Unreachable or Closed, or UnprocessedError.
   */
  async open(decode: (buffer: Buffer) => WatchAnswer): Promise<AnswerStream> {
    const token = await this.#login.token();
    this.#token = token;
    // Last of all: while something else is waited for, the connection may come to its end.
    const connection = this.#members.readyNow() ?? (await this.#members.ready());
    const head = { path: WATCH_PATH, token, metadata: METADATA };
    return new AnswerStream((listener) => connection.open(head, listener), decode);
  }

  /** The preferred member failed: another is asked next. */
  moveOn(): void {
    this.#members.moveOn();
  }

  forgetToken(): void {
    this.#login.forget(this.#token);
  }

  close(): void {
    this.#members.close();
  }
}
