/** One request and its response on a server connection (RFC 9113 §5.1). */
import { BodyBuffer } from './body-buffer.ts';
import { ByteQueue } from './byte-queue.ts';
import type { SendingStream } from './data-sender.ts';
import { ERROR_CODE } from './frames.ts';
import type { WrittenField } from './hpack-encoder.ts';
import type { RequestFields } from './request-fields.ts';

/** Writers wait above this size, and resume at half of it. */
const HIGH_WATER_BYTES = 64 * 1024;

/** Time for the rest of a request body after the response. Then the stream is reset. */
const LINGER_MS = 500;

/** One of the callbacks is called once, unless `discardBody` was called before. */
export interface BodyReader {
  readonly maxBytes: number;
  readonly onBody: (body: Buffer) => void;
  readonly onTooLarge: () => void;
  /** The stream ended, or the response was complete, before the body was. */
  readonly onAborted: () => void;
}

/** Callbacks into the connection. */
export interface StreamOwner {
  readonly sendFields: (stream: ServerStream, fields: readonly WrittenField[], last: boolean) => void;
  /** Sends data in one frame, bypassing the queue. False when that is not possible, and it must be queued. */
  readonly sendData: (stream: ServerStream, bytes: Uint8Array) => boolean;
  /** Sends what is queued, as far as possible. */
  readonly sendQueued: (stream: ServerStream) => void;
  /** Called when nothing is queued. */
  readonly sendEnd: (stream: ServerStream) => void;
  readonly sendReset: (stream: ServerStream, code: number) => void;
  /** Widens the receive window. */
  readonly sendWindow: (stream: ServerStream, bytes: number) => void;
  readonly onClosed: (stream: ServerStream) => void;
}

export interface ServerStreamOptions {
  readonly id: number;
  readonly request: RequestFields;
  /** END_STREAM was set on the header fields, so the request has no body. */
  readonly endsStream: boolean;
  readonly owner: StreamOwner;
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
  /** Received bytes of the body. */
  #bodyBytes = 0;
  readonly #body = new BodyBuffer();
  /** The body is dropped. */
  #isDiscarded = false;
  /** The receive window. */
  #receiveBytes: number;
  /** Received bytes that no WINDOW_UPDATE has returned yet. */
  #unreportedBytes = 0;
  #reader: BodyReader | undefined;
  readonly #queue = new ByteQueue();
  #waiting: (() => void)[] = [];
  /** The send window. */
  windowBytes: number;

  constructor({ id, request, endsStream, owner, sendWindowBytes, receiveWindowBytes }: ServerStreamOptions) {
    this.id = id;
    this.request = request;
    this.#remoteEnded = endsStream;
    this.#owner = owner;
    this.windowBytes = sendWindowBytes;
    this.#windowBytes = this.#receiveBytes = receiveWindowBytes;
  }

  /** Both sides have ended, one has reset the stream, or the connection is closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The request is complete. */
  get remoteEnded(): boolean {
    return this.#remoteEnded;
  }

  /** The response is complete, but may still be queued. */
  get ending(): boolean {
    return this.#ending;
  }

  /** The response is complete and passed to the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  get queuedBytes(): number {
    return this.#queue.byteLength;
  }

  /** Calls `listener` when the stream closes, or asynchronously if it is closed already. */
  onClose(listener: () => void): void {
    if (this.#closed) queueMicrotask(listener);
    else this.#closeListeners.push(listener);
  }

  // The response

  /** Sends the header fields. `last`: there is no body. */
  respond(fields: readonly WrittenField[], last = false): void {
    if (this.#closed || this.#ending) return;
    this.#ending = last;
    this.#owner.sendFields(this, fields, last);
    if (last) this.sentLast();
  }

  /** Sends an interim response such as `100 Continue`. */
  inform(code: number): void {
    if (!this.#closed && !this.#ending) this.#owner.sendFields(this, [{ name: ':status', value: String(code) }], false);
  }

  /** Queues `bytes` without copying. False: the writer should wait for `drained`, or the stream is closed. */
  write(bytes: Uint8Array): boolean {
    // Peers count empty frames as abuse.
    if (this.#closed || this.#ending || bytes.byteLength === 0) return !this.#closed;
    this.#send(bytes);
    return this.#queue.byteLength <= HIGH_WATER_BYTES;
  }

  /** Like `write`, but small chunks share frames. */
  writeAll(chunks: readonly Uint8Array[]): boolean {
    if (this.#closed || this.#ending) return !this.#closed;
    this.#sendAll(chunks);
    return this.#queue.byteLength <= HIGH_WATER_BYTES;
  }

  /** Resolves when little is queued, or the stream is closed. */
  drained(): Promise<void> {
    if (this.#closed || this.#queue.byteLength <= HIGH_WATER_BYTES / 2) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the response, after `chunks`. */
  end(chunks: readonly Uint8Array[] = []): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    this.#sendAll(chunks);
    if (this.#ended || this.#queue.byteLength > 0) return;
    this.#owner.sendEnd(this);
    this.sentLast();
  }

  /** Resets the stream and drops what is queued. `code`: from ERROR_CODE. */
  reset(code: number): void {
    if (this.#closed) return;
    this.#owner.sendReset(this, code);
    this.close();
  }

  // Called by the connection

  take(into: Buffer, at: number, count: number): void {
    this.#queue.take(into, at, count);
    if (this.#queue.byteLength <= HIGH_WATER_BYTES / 2) this.#wake();
  }

  /** Receives a part of the body. `bytes`: the size with padding. False when it exceeds the window. */
  receive(buffer: Buffer, start: number, end: number, bytes: number): boolean {
    this.#receiveBytes -= bytes;
    if (this.#receiveBytes < 0) return false;
    this.#bodyBytes += end - start;
    this.#unreportedBytes += bytes;
    if (!this.#isDiscarded) this.#body.append(buffer, start, end);
    this.#report();
    return true;
  }

  /** The body contradicts the content-length of the request. */
  hasWrongLength(atEnd: boolean): boolean {
    const { contentLength } = this.request;
    return contentLength !== undefined && (atEnd ? this.#bodyBytes !== contentLength : this.#bodyBytes > contentLength);
  }

  receiveEnd(): void {
    this.#remoteEnded = true;
    this.#report();
    if (this.#ended) this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#lingering);
    this.#owner.onClosed(this);
    this.#queue.clear();
    this.#abortBody();
    this.#wake();
    const listeners = this.#closeListeners;
    this.#closeListeners = [];
    for (const listener of listeners) listener();
  }

  // The body of the request

  /** May be called once. */
  read(reader: BodyReader): void {
    if (this.#closed) {
      reader.onAborted();
      return;
    }
    this.#reader = reader;
    this.#report();
  }

  /** Drops the body, also what still arrives, and does not widen its window any more. */
  discardBody(): void {
    this.#reader = undefined;
    this.#isDiscarded = true;
    this.#body.drop();
  }

  #abortBody(): void {
    const reader = this.#reader;
    this.discardBody();
    reader?.onAborted();
  }

  /** Passes the body to the reader when it is complete, and widens the window before. */
  #report(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#bodyBytes > reader.maxBytes) {
      this.discardBody();
      reader.onTooLarge();
    } else if (this.#remoteEnded) {
      const body = this.#body.take();
      this.discardBody();
      reader.onBody(body);
    } else this.#widen();
  }

  /** Widens the window by half of it at a time: an update for each frame would cost as much as the frame. */
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

  #sendAll(chunks: readonly Uint8Array[]): void {
    const [only] = chunks;
    if (only !== undefined && chunks.length === 1) {
      if (only.byteLength > 0) this.#send(only);
      return;
    }
    for (const chunk of chunks) if (chunk.byteLength > 0) this.#queue.push(chunk);
    if (this.#queue.byteLength > 0) this.#owner.sendQueued(this);
  }

  /** The response is complete, and the rest of the request is not needed (§8.1). */
  sentLast(): void {
    this.#ended = true;
    this.#abortBody();
    if (this.#remoteEnded) this.close();
    // Delayed, because bodies usually end soon, and curl 7.88 drops a response that arrives with the reset.
    else this.#lingering = setTimeout(() => this.reset(ERROR_CODE.noError), LINGER_MS);
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
