/** One request and its answer on a server's connection (RFC 9113 §5.1). */
import { BodyBuffer } from './body-buffer.ts';
import { ByteQueue } from './byte-queue.ts';
import type { SendingStream } from './data-sender.ts';
import { ERROR_CODE } from './frames.ts';
import type { WrittenField } from './hpack-encoder.ts';
import type { RequestFields } from './request-fields.ts';

/** Above this a writer is told to wait; at half of it, that it may go on. */
const QUEUE_MARK_BYTES = 64 * 1024;

/** For the rest of a body whose request was answered. Then the client is told to keep it. */
const LINGER_MS = 500;

/** Who wants the body of a request. One of them is called, once, unless they let go of it before. */
export interface BodyReader {
  readonly maxBytes: number;
  readonly whole: (body: Buffer) => void;
  readonly tooLarge: () => void;
  /** The client went, or took the request back, before its end, or has its answer already. */
  readonly cut: () => void;
}

/** What a stream asks of its connection. */
export interface StreamOwner {
  readonly sendFields: (stream: ServerStream, fields: readonly WrittenField[], last: boolean) => void;
  /** Sends it all in one frame, with nothing before it. False: not now, it must be queued. */
  readonly sendData: (stream: ServerStream, bytes: Uint8Array) => boolean;
  /** Sends as much of what was queued as may be sent now. */
  readonly sendQueued: (stream: ServerStream) => void;
  /** With nothing before it. */
  readonly sendEnd: (stream: ServerStream) => void;
  readonly sendReset: (stream: ServerStream, code: number) => void;
  /** So many bytes of the body were read: the client may send as many more. */
  readonly sendWindow: (stream: ServerStream, bytes: number) => void;
  /** Nothing more comes or goes. */
  readonly forget: (stream: ServerStream) => void;
}

export interface ServerStreamOptions {
  readonly id: number;
  readonly request: RequestFields;
  /** The request has no body. */
  readonly isWhole: boolean;
  readonly owner: StreamOwner;
  /** How much the client takes, and may send, without being told more. Bytes. */
  readonly sendWindowBytes: number;
  readonly receiveWindowBytes: number;
}

export class ServerStream implements SendingStream {
  readonly id: number;
  readonly request: RequestFields;
  readonly #owner: StreamOwner;
  readonly #windowBytes: number;
  #remoteEnded: boolean;
  #ending = false;
  #ended = false;
  #closed = false;
  #lingering: NodeJS.Timeout | undefined;
  #closeListeners: (() => void)[] = [];
  /** Of the body, how much came. */
  #bodyBytes = 0;
  readonly #body = new BodyBuffer();
  /** Nobody will read it. */
  #isUnwanted = false;
  /** What the client may still send. */
  #receiveBytes: number;
  /** Read, and not told to the client yet. */
  #unreportedBytes = 0;
  #reader: BodyReader | undefined;
  readonly #queue = new ByteQueue();
  #waiting: (() => void)[] = [];
  /** How much the client takes. */
  windowBytes: number;

  constructor({ id, request, isWhole, owner, sendWindowBytes, receiveWindowBytes }: ServerStreamOptions) {
    this.id = id;
    this.request = request;
    this.#remoteEnded = isWhole;
    this.#owner = owner;
    this.windowBytes = sendWindowBytes;
    this.#windowBytes = this.#receiveBytes = receiveWindowBytes;
  }

  /** Nothing more comes or goes: both sides have ended, or one side has reset it, or the connection is gone. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The whole request has come. */
  get remoteEnded(): boolean {
    return this.#remoteEnded;
  }

  /** The whole answer was handed to the connection, or will be when its reader takes it. */
  get ending(): boolean {
    return this.#ending;
  }

  /** The whole answer was handed to the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Written, and not handed to the connection, because of its windows or its reader. */
  get queuedBytes(): number {
    return this.#queue.byteLength;
  }

  /** Calls `listener` when it is closed, later if it is already. */
  onClose(listener: () => void): void {
    if (this.#closed) queueMicrotask(listener);
    else this.#closeListeners.push(listener);
  }

  // The answer

  /** The head. `last`: there is no body. */
  respond(fields: readonly WrittenField[], last = false): void {
    if (this.#closed || this.#ending) return;
    this.#ending = last;
    this.#owner.sendFields(this, fields, last);
    if (last) this.#sentEnd();
  }

  /** A head before the head: `100 Continue`. */
  inform(code: number): void {
    if (!this.#closed && !this.#ending) this.#owner.sendFields(this, [{ name: ':status', value: String(code) }], false);
  }

  /**
   * Not copied while it waits. False: wait until `drained` before more is written. What is written to a closed stream
   * is dropped.
   */
  write(bytes: Uint8Array): boolean {
    // An empty frame says nothing, and peers count them as abuse.
    if (this.#closed || this.#ending || bytes.byteLength === 0) return !this.#closed;
    this.#send(bytes);
    return this.#queue.byteLength <= QUEUE_MARK_BYTES;
  }

  /** The same as one write: small pieces share frames. */
  writeAll(pieces: readonly Uint8Array[]): boolean {
    if (this.#closed || this.#ending) return !this.#closed;
    this.#sendAll(pieces);
    return this.#queue.byteLength <= QUEUE_MARK_BYTES;
  }

  /** Resolves when little is queued, or it is closed. */
  drained(): Promise<void> {
    if (this.#closed || this.#queue.byteLength <= QUEUE_MARK_BYTES / 2) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the answer behind what was written, and these pieces. */
  end(pieces: readonly Uint8Array[] = []): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    this.#sendAll(pieces);
    if (this.#ended || this.#queue.byteLength > 0) return;
    this.#owner.sendEnd(this);
    this.#sentEnd();
  }

  /** Ends it at once; what is queued is dropped. `code`: of ERROR_CODE. */
  reset(code: number): void {
    if (this.#closed) return;
    this.#owner.sendReset(this, code);
    this.close();
  }

  // For its connection

  take(into: Buffer, at: number, count: number): void {
    this.#queue.take(into, at, count);
    if (this.#queue.byteLength <= QUEUE_MARK_BYTES / 2) this.#wake();
  }

  sentLast(): void {
    this.#sentEnd();
  }

  /**
   * Some of the body has come: `buffer` from `start` to `end`. `bytes`: with padding. False: the client was not allowed
   * so much.
   */
  receive(buffer: Buffer, start: number, end: number, bytes: number): boolean {
    this.#receiveBytes -= bytes;
    if (this.#receiveBytes < 0) return false;
    this.#bodyBytes += end - start;
    this.#unreportedBytes += bytes;
    if (!this.#isUnwanted) this.#body.append(buffer, start, end);
    this.#report();
    return true;
  }

  /** The body is longer, or at its end shorter, than the request said. */
  isOfWrongLength(atEnd: boolean): boolean {
    const { contentLength } = this.request;
    return contentLength !== undefined && (atEnd ? this.#bodyBytes !== contentLength : this.#bodyBytes > contentLength);
  }

  /** The whole request has come. */
  receiveEnd(): void {
    this.#remoteEnded = true;
    this.#report();
    if (this.#ended) this.close();
  }

  /** Nothing more comes or goes. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#lingering);
    this.#owner.forget(this);
    this.#queue.clear();
    this.#cut();
    this.#wake();
    const listeners = this.#closeListeners;
    this.#closeListeners = [];
    for (const listener of listeners) listener();
  }

  // The body of the request

  /** Once only. */
  read(reader: BodyReader): void {
    if (this.#closed) {
      reader.cut();
      return;
    }
    this.#reader = reader;
    this.#report();
  }

  /** Nobody reads it, or reads on: what comes is dropped, and the client is not told to send any. */
  unwanted(): void {
    this.#reader = undefined;
    this.#isUnwanted = true;
    this.#body.drop();
  }

  #cut(): void {
    const reader = this.#reader;
    this.unwanted();
    reader?.cut();
  }

  /** Tells the reader what there is, and the client to go on. */
  #report(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#bodyBytes > reader.maxBytes) {
      this.unwanted();
      reader.tooLarge();
    } else if (this.#remoteEnded) {
      const body = this.#body.take();
      this.unwanted();
      reader.whole(body);
    } else this.#widen();
  }

  /** Half a window at a time: telling of every frame would cost as much as the frame. */
  #widen(): void {
    const bytes = this.#unreportedBytes;
    if (bytes < this.#windowBytes / 2) return;
    this.#unreportedBytes = 0;
    this.#receiveBytes += bytes;
    this.#owner.sendWindow(this, bytes);
  }

  #send(bytes: Uint8Array): void {
    if (this.#owner.sendData(this, bytes)) return;
    this.#queue.push(bytes);
    this.#owner.sendQueued(this);
  }

  #sendAll(pieces: readonly Uint8Array[]): void {
    const [only] = pieces;
    if (only !== undefined && pieces.length === 1) {
      if (only.byteLength > 0) this.#send(only);
      return;
    }
    for (const piece of pieces) if (piece.byteLength > 0) this.#queue.push(piece);
    if (this.#queue.byteLength > 0) this.#owner.sendQueued(this);
  }

  /** The answer is whole. What may still come of the request is for nobody (§8.1). */
  #sentEnd(): void {
    this.#ended = true;
    this.#cut();
    if (this.#remoteEnded) this.close();
    // Not at once: most bodies end by themselves, and there are clients that drop the answer when both come together
    // (curl 7.88).
    else this.#lingering = setTimeout(() => this.reset(ERROR_CODE.noError), LINGER_MS);
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
