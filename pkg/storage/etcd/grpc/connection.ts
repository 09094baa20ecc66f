/**
 * One HTTP/2 connection to a gRPC server, for unary calls and duplex streams. A unary call takes a seventh of the
 * processor time of grpc-js and a third of that of `node:http2`: there are no stream objects, header objects, events or
 * timers per call, and one write per tick.
 *
 * - A call is sent once. UnprocessedError means that the server certainly did not process it. After GrpcError only its
 *   code says whether it did.
 * - Every unary call ends with its response, its deadline or the connection. A duplex stream ends when either side ends
 *   it, or with the connection.
 */
import type { Socket } from 'node:net';
import type { Endpoint } from './endpoint.ts';
import { connectTo } from './endpoint.ts';
import { DataSender, shortestFirst } from '../../../http2/data-sender.ts';
import { FrameReader } from '../../../http2/frame-reader.ts';
import {
  clientPreface,
  ERROR_CODE,
  FLAG,
  FRAME,
  frame,
  goAway,
  MAX_WINDOW_BYTES,
  ProtocolError,
  rstStream,
  SETTING,
  windowUpdate,
} from '../../../http2/frames.ts';
import { HeaderBlocks, withoutPadding } from '../../../http2/header-blocks.ts';
import type { HeaderField } from '../../../http2/hpack-tables.ts';
import { DuplexStream } from './duplex-stream.ts';
import type { GrpcStream } from './grpc-stream.ts';
import { Keepalive } from './keepalive.ts';
import { FrameWriter } from '../../../http2/frame-writer.ts';
import { FramePagePool } from '../../../http2/page-pool.ts';
import { RequestHeaders } from './request-headers.ts';
import { errorOfReset, GRPC, GrpcError, UnprocessedError } from './status.ts';
import type { EtcdConnection, StreamHead, StreamListener, UnaryCall } from '../transport.ts';
import { UnaryStream } from './unary-stream.ts';

/** The connection window is widened in steps of this size, far below the window. */
const WINDOW_STEP_BYTES = 2 ** 28;
/** Stream ids have 31 bits; the margin is arbitrary. */
const MAX_STREAM_ID = 2 ** 31 - 1001;
/** The GOAWAY text of a gRPC server that was pinged too often. */
const TOO_MANY_PINGS = 'too_many_pings';

/** A queued call is not sent any more when less than this share of its timeout remains for the response. */
const MIN_RESPONSE_SHARE = 0.1;

const NO_ANSWER = 'no answer';
const NO_SERVER = 'it accepts connections, but does not respond like etcd';
const RETIRED = 'the connection accepts no more calls';
const STREAM_LIMIT = 'the server accepts no more concurrent calls';

const EMPTY = Buffer.alloc(0);
const PING = Buffer.alloc(8);

interface ConnectionOptions {
  readonly endpoint: Endpoint;
  /** The deadline of every unary call, from when it is made. */
  readonly callTimeoutMs: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /** The receive window of a stream. Default: the maximum, because unary responses are buffered whole anyway. */
  readonly streamWindowBytes?: number | undefined;
  /** Called once the SETTINGS of the server have arrived and calls are accepted. */
  readonly onReady: () => void;
  /** Called exactly once when no more calls are accepted. Running calls continue, unless it is closed. */
  readonly onRetired: (reason: Error) => void;
  /** Called exactly once, after `onRetired`. */
  readonly onClosed: () => void;
}

export class TooManyPingsError extends Error {}

export class Connection implements EtcdConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #frameWriter: FrameWriter;
  readonly #sender: DataSender;
  readonly #headers: RequestHeaders;
  readonly #reader = new FrameReader((type, flags, id, buffer, start, end) => this.#onFrame(type, flags, id, buffer, start, end));
  readonly #blocks = new HeaderBlocks((id, fields, last) => this.#onFields(id, fields, last));
  readonly #keepalive: Keepalive;
  #state: 'connecting' | 'ready' | 'retired' | 'closed' = 'connecting';
  /** Ordered by id, and therefore also by deadline, except for streams without one. */
  readonly #open = new Map<number, GrpcStream>();
  /** Calls beyond the concurrency limit of the server, oldest first. */
  readonly #waiting = new Set<UnaryStream>();
  #maxOpen = Infinity;
  #nextId = 1;
  #unreportedBytes = 0;
  readonly #streamWindowBytes: number;
  /** For the next deadline or PING, whichever comes first. */
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Infinity;

  /** Starts to connect. */
  constructor(options: ConnectionOptions) {
    const { endpoint, keepaliveMs, keepaliveTimeoutMs, streamWindowBytes = MAX_WINDOW_BYTES } = options;
    this.#options = options;
    this.#streamWindowBytes = streamWindowBytes;
    this.#keepalive = new Keepalive({ afterMs: keepaliveMs, timeoutMs: keepaliveTimeoutMs }, performance.now());
    this.#socket = connectTo(endpoint, (chunk) => this.#onData(chunk));
    this.#frameWriter = new FrameWriter(this.#socket, new FramePagePool(), () => this.#onTaken());
    this.#sender = new DataSender(this.#frameWriter, shortestFirst);
    this.#headers = new RequestHeaders({ secure: endpoint.tls !== undefined, authority: endpoint.authority });
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('close', () =>
      this.destroy(new Error(this.#state === 'connecting' ? 'it closes connections at once' : 'the server closed the connection')),
    );
    this.#frameWriter.push(clientPreface(streamWindowBytes));
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Why connecting takes long. */
  get stallError(): Error {
    return new Error(this.#socket.connecting ? NO_ANSWER : NO_SERVER);
  }

  /** Rejects with UnprocessedError or GrpcError. */
  call<Answer>({ path, message, allocate, decode }: UnaryCall<Answer>, token: string | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const nowMs = performance.now();
      const { callTimeoutMs: timeoutMs } = this.#options;
      const stream = new UnaryStream({
        head: { path, token, timeoutMs },
        message,
        allocate,
        dueMs: nowMs + timeoutMs,
        answered: (answer) => resolve(decode(answer)),
        failed: reject,
      });
      if (this.#state !== 'ready') stream.fail(new UnprocessedError(RETIRED));
      else if (this.#open.size >= this.#maxOpen) this.#wait(stream, nowMs);
      else this.#begin(stream);
      this.#scheduleDeadline(nowMs, stream.dueMs);
    });
  }

  /** Opens a streaming call. Throws UnprocessedError when that is not possible now. */
  open(head: StreamHead, listener: StreamListener): DuplexStream {
    if (this.#state !== 'ready') throw new UnprocessedError(RETIRED);
    if (this.#open.size >= this.#maxOpen) throw new UnprocessedError(STREAM_LIMIT, { atStreamLimit: true });
    const stream = new DuplexStream(head, listener, {
      send: () => this.#sender.sendQueue(stream),
      report: () => this.#report(stream),
      cancel: () => this.#end(stream, false),
    });
    this.#begin(stream);
    this.#scheduleDeadline(performance.now(), stream.dueMs);
    return stream;
  }

  /** Closes with GOAWAY. Running calls fail. */
  close(): void {
    if (this.#state !== 'closed') {
      this.#frameWriter.push(goAway(ERROR_CODE.noError));
      this.#frameWriter.flush();
    }
    this.destroy(new Error('Channel closed'));
  }

  /** Closes at once. Idempotent. */
  destroy(reason: Error): void {
    if (this.#state === 'closed') return;
    this.#retire(reason);
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#socket.destroy();
    for (const stream of this.#open.values())
      stream.fail(new GrpcError(GRPC.unavailable, `Connection dropped: ${reason.message}`, { cause: reason }));
    this.#open.clear();
    this.#options.onClosed();
  }

  #wait(stream: UnaryStream, nowMs: number): void {
    this.#waiting.add(stream);
    // Its latest start may come before the deadlines of the open calls.
    if (this.#waiting.size === 1) this.#resetTimer(nowMs);
  }

  #begin(stream: GrpcStream): void {
    stream.id = this.#nextId;
    this.#nextId += 2;
    this.#open.set(stream.id, stream);
    stream.windowBytes = this.#sender.initialWindowBytes;
    this.#sender.sendBlock(stream.id, this.#headers.block(stream.head), false);
    this.#sender.sendQueue(stream);
    if (this.#nextId > MAX_STREAM_ID) this.#retire(new Error('the connection has no more streams'));
  }

  /** Ends the call. Resets the stream when the server may still send, or wait for the rest of the request. */
  #end(stream: GrpcStream, serverEnded: boolean, code: number = ERROR_CODE.cancel): void {
    if (!this.#open.delete(stream.id)) return;
    this.#sender.remove(stream);
    if (!serverEnded || stream.queuedBytes > 0 || !stream.ending) this.#frameWriter.push(rstStream(stream.id, code));
    this.#closeIfDone();
    this.#beginWaiting();
  }

  #beginWaiting(): void {
    if (this.#waiting.size === 0) return;
    this.#failLate(performance.now());
    for (const stream of this.#waiting) {
      if (this.#open.size >= this.#maxOpen || this.#state !== 'ready') return;
      this.#waiting.delete(stream);
      this.#begin(stream);
    }
  }

  #retire(reason: Error): void {
    if (this.#state === 'retired' || this.#state === 'closed') return;
    this.#state = 'retired';
    for (const stream of this.#waiting) stream.fail(new UnprocessedError(RETIRED, { cause: reason }));
    this.#waiting.clear();
    this.#options.onRetired(reason);
  }

  #closeIfDone(): void {
    if (this.#state === 'retired' && this.#open.size === 0) this.close();
  }

  #onTaken(): void {
    if (this.#state !== 'closed') this.#sender.sendQueued();
  }

  // Deadlines and keepalive

  /** Makes the timer fire at `dueMs` or earlier. */
  #scheduleDeadline(nowMs: number, dueMs: number): void {
    if (this.#keepalive.startPing(nowMs)) this.#ping(nowMs);
    else if (this.#timer === undefined || dueMs < this.#timerDueMs) this.#resetTimer(nowMs);
  }

  #setTimer(nowMs: number): NodeJS.Timeout | undefined {
    if (this.#state === 'closed' || (this.#open.size === 0 && this.#waiting.size === 0 && !this.#keepalive.isPinging)) return undefined;
    let dueMs = this.#keepalive.dueMs;
    for (const open of this.#open.values()) {
      dueMs = Math.min(dueMs, open.dueMs);
      if (open.dueMs < Infinity) break;
    }
    const [waiting] = this.#waiting;
    if (waiting !== undefined) dueMs = Math.min(dueMs, this.#latestStartMs(waiting));
    this.#timerDueMs = dueMs;
    return setTimeout(this.#onTimer, Math.max(1, Math.ceil(dueMs - nowMs)));
  }

  #latestStartMs({ dueMs }: UnaryStream): number {
    return dueMs - this.#options.callTimeoutMs * MIN_RESPONSE_SHARE;
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    const nowMs = performance.now();
    if (this.#keepalive.isDead(nowMs)) {
      this.destroy(new Error('the server does not answer pings'));
      return;
    }
    if (this.#open.size + this.#waiting.size > 0 && this.#keepalive.startPing(nowMs)) this.#ping(nowMs);
    this.#failLate(nowMs);
    for (const stream of this.#open.values()) {
      if (stream.dueMs === Infinity) continue;
      if (stream.dueMs > nowMs) break;
      stream.fail(new GrpcError(GRPC.deadlineExceeded, `Deadline exceeded after ${this.#options.callTimeoutMs} ms`));
      this.#end(stream, false);
    }
    this.#timer ??= this.#setTimer(nowMs);
  };

  /** Fails queued calls that have no time left. */
  #failLate(nowMs: number): void {
    for (const stream of this.#waiting) {
      if (this.#latestStartMs(stream) > nowMs) break;
      this.#waiting.delete(stream);
      stream.fail(new UnprocessedError(STREAM_LIMIT, { atStreamLimit: true }));
    }
  }

  #ping(nowMs: number): void {
    this.#frameWriter.push(frame(FRAME.ping, 0, 0, PING));
    this.#resetTimer(nowMs);
  }

  #resetTimer(nowMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#setTimer(nowMs);
  }

  // Received frames

  #onData(chunk: Buffer): void {
    const nowMs = performance.now();
    const wasPinging = this.#keepalive.isPinging;
    this.#keepalive.received(nowMs);
    if (wasPinging) this.#resetTimer(nowMs);
    try {
      this.#reader.push(chunk);
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      const isReady = this.#state !== 'connecting';
      this.#frameWriter.push(goAway(reason instanceof ProtocolError ? reason.code : ERROR_CODE.internalError));
      this.#frameWriter.flush();
      this.destroy(isReady ? reason : new Error(NO_SERVER, { cause: reason }));
    }
  }

  #onFrame(type: number, flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'connecting' && (type !== FRAME.settings || (flags & FLAG.ack) !== 0))
      throw new ProtocolError(ERROR_CODE.protocolError, 'SETTINGS must come first');
    this.#blocks.check(type, id);
    // Unknown types are ignored (§4.1).
    const isAck = (flags & FLAG.ack) !== 0;
    if (type === FRAME.data) this.#onResponseData(flags, id, buffer, start, end);
    else if (type === FRAME.headers) this.#blocks.begin(flags, id, buffer, start, end);
    else if (type === FRAME.windowUpdate) this.#onWindowUpdate(id, readNumber(buffer, start, end, 0) & 0x7fff_ffff);
    // Deferred, because etcd sends a PING with nearly every response to measure the bandwidth.
    else if (type === FRAME.ping && !isAck) this.#frameWriter.defer(frame(FRAME.ping, FLAG.ack, 0, buffer.subarray(start, end)));
    else if (type === FRAME.continuation) this.#blocks.continue(flags, buffer, start, end);
    else if (type === FRAME.rstStream) this.#onReset(id, readNumber(buffer, start, end, 0));
    else if (type === FRAME.settings && !isAck) this.#onSettings(buffer, start, end);
    else if (type === FRAME.goAway) this.#onGoAway(buffer, start, end);
    else if (type === FRAME.pushPromise) throw new ProtocolError(ERROR_CODE.protocolError, 'the server pushes although push is disabled');
  }

  #onResponseData(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    this.#unreportedBytes += end - start;
    if (this.#unreportedBytes >= WINDOW_STEP_BYTES) {
      this.#frameWriter.push(windowUpdate(0, this.#unreportedBytes));
      this.#unreportedBytes = 0;
    }
    // The response of a cancelled call may still arrive.
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    const [from, to] = withoutPadding(flags, buffer, start, end);
    const last = (flags & FLAG.endStream) !== 0;
    stream.unreportedBytes += end - start;
    if (stream.data(buffer, from, to, last)) this.#end(stream, last);
    else this.#report(stream);
  }

  /** Widens the window by half of it at a time: an update for each message would cost as much as the message. */
  #report(stream: GrpcStream): void {
    if (stream.paused || stream.unreportedBytes < this.#streamWindowBytes / 2) return;
    this.#frameWriter.push(windowUpdate(stream.id, stream.unreportedBytes));
    stream.unreportedBytes = 0;
  }

  #onFields(id: number, fields: readonly HeaderField[] = [], last: boolean): void {
    const stream = this.#open.get(id);
    if (stream?.headers(fields, last) === true) this.#end(stream, last);
  }

  #onReset(id: number, code: number): void {
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    this.#sender.remove(stream);
    this.#open.delete(id);
    const error = errorOfReset(code);
    stream.fail(stream.answering && error instanceof UnprocessedError ? new GrpcError(GRPC.internal, error.message) : error);
    this.#closeIfDone();
    this.#beginWaiting();
  }

  #onSettings(buffer: Buffer, start: number, end: number): void {
    for (let at = start; at + 6 <= end; at += 6) {
      const value = buffer.readUInt32BE(at + 2);
      const setting = buffer.readUInt16BE(at);
      if (setting === SETTING.headerTableSize) this.#headers.limitTable(value);
      else if (setting === SETTING.maxConcurrentStreams) this.#maxOpen = value;
      else if (setting === SETTING.initialWindowSize) this.#sender.limitStreams(value, this.#open.values());
      else if (setting === SETTING.maxFrameSize) this.#sender.limitFrames(value);
    }
    this.#frameWriter.push(frame(FRAME.settings, FLAG.ack, 0, EMPTY));
    this.#sender.sendQueued();
    if (this.#state === 'connecting') {
      this.#state = 'ready';
      this.#options.onReady();
    } else this.#beginWaiting();
  }

  /** The server responds to streams up to `last` and has not processed later ones (§6.8). It may lower `last` later. */
  #onGoAway(buffer: Buffer, start: number, end: number): void {
    const last = readNumber(buffer, start, end, 0) & 0x7fff_ffff;
    const code = readNumber(buffer, start, end, 4);
    const why = buffer.toString('latin1', start + 8, end);
    const text = `the server closes the connection (code ${code}${why === '' ? '' : `, ${why}`})`;
    this.#retire(why === TOO_MANY_PINGS ? new TooManyPingsError(text) : new Error(text));
    for (const [id, stream] of this.#open) {
      if (id <= last) continue;
      this.#open.delete(id);
      this.#sender.remove(stream);
      stream.fail(stream.answering ? new GrpcError(GRPC.unavailable, text) : new UnprocessedError(text));
    }
    this.#closeIfDone();
  }

  /** An invalid update for one stream is an error of that stream only (§6.9). */
  #onWindowUpdate(id: number, bytes: number): void {
    if (id === 0) {
      if (bytes === 0) throw new ProtocolError(ERROR_CODE.protocolError, 'WINDOW_UPDATE with an increment of 0');
      this.#sender.widen(bytes);
      return;
    }
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    if (bytes === 0) this.#refuse(stream, ERROR_CODE.protocolError, 'WINDOW_UPDATE with an increment of 0');
    else if (!this.#sender.widenStream(stream, bytes))
      this.#refuse(stream, ERROR_CODE.flowControlError, 'a flow-control window exceeds its maximum');
  }

  /** Ends one call because of a protocol violation. */
  #refuse(stream: GrpcStream, code: number, why: string): void {
    stream.fail(new GrpcError(GRPC.internal, why));
    this.#end(stream, false, code);
  }
}

function readNumber(buffer: Buffer, start: number, end: number, offset: number): number {
  if (start + offset + 4 > end) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is too short');
  return buffer.readUInt32BE(start + offset);
}
