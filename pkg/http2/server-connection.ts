/**
 * The server's side of one HTTP/2 connection (RFC 9113). A watch event takes half the processor time that it takes in a
 * session of `node:http2`: there are no stream objects, events and callbacks for each write, and all frames of one tick
 * of the event loop are one write to the socket.
 *
 * Limits on hostile clients: open streams, the size of header blocks (CONTINUATION, CVE-2024-27316), unread bytes of
 * request bodies, unread bytes of responses, and work for nothing (`abuse-budget.ts`). Limits in time are the owner's
 * business.
 */
import type { Socket } from 'node:net';
import { AbuseBudget, COST } from './abuse-budget.ts';
import { DataSender } from './data-sender.ts';
import { FrameReader } from './frame-reader.ts';
import {
  DEFAULT_WINDOW_BYTES,
  ERROR_CODE,
  FLAG,
  FRAME,
  frame,
  goAway,
  PREFACE,
  ProtocolError,
  rstStream,
  SETTING,
  settings,
  windowUpdate,
} from './frames.ts';
import { checkPriority, HeaderBlocks, PRIORITY_BYTES, withoutPadding } from './header-blocks.ts';
import { HpackEncoder, type WrittenField } from './hpack-encoder.ts';
import { Outbox } from './outbox.ts';
import type { FramePagePool } from './page-pool.ts';
import type { ReceivedField } from './received-field.ts';
import { areTrailers, readRequestFields } from './request-fields.ts';
import { ServerStream, type StreamOwner } from './server-stream.ts';

/** Ids of reset streams that are kept: their clients may not know of it yet. */
const MAX_RESET_IDS = 250;
/** Responses wait in their streams; this is for acknowledgements and resets that the client does not read. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** After a breach of the protocol, for GOAWAY to arrive. */
const LINGER_MS = 500;
/** In one SETTINGS frame: each may mean something for every stream. */
const MAX_SETTINGS = 32;
const LAST_STREAM = 2 ** 31 - 1;
const NOTHING = Buffer.alloc(0);
/** Its acknowledgement shows that the client has seen the GOAWAY before it. */
const DRAIN_PING = Buffer.from('draining', 'latin1');

export interface ServerConnectionOptions {
  readonly pool: FramePagePool;
  /** At a time. More are refused, and clients send them again. */
  readonly maxStreams: number;
  /** Of the header fields of one request, as RFC 9113 §6.5.2 counts them; with more it is answered 431. */
  readonly maxHeaderBytes: number;
  readonly maxHeaderFields: number;
  /** How much of the body of one request may come before it is read. */
  readonly streamWindowBytes: number;
  /** How much of all bodies together may be on its way. */
  readonly connectionWindowBytes: number;
  readonly onStream: (stream: ServerStream) => void;
  /** The socket is closed. Once, always; the streams are closed by then. */
  readonly onClosed: () => void;
}

export class ServerConnection {
  readonly #socket: Socket;
  readonly #options: ServerConnectionOptions;
  readonly #outbox: Outbox;
  readonly #sender: DataSender;
  readonly #encoder = new HpackEncoder();
  readonly #blocks: HeaderBlocks;
  readonly #reader: FrameReader;
  readonly #owner: StreamOwner;
  readonly #streams = new Map<number, ServerStream>();
  /** Ids of streams that were reset here, oldest first. */
  readonly #reset = new Set<number>();
  readonly #abuse = new AbuseBudget();
  /** Begun by the bytes that are being read, and not yet given to the owner. */
  #begun: ServerStream[] = [];
  /** Received bytes of the preface; then whether the first SETTINGS were received. */
  #prefaceBytes = 0;
  #isIntroduced = false;
  #lastStream = 0;
  /** `draining`: the client was told to begin no more streams; `drained`: it knows. */
  #state: 'open' | 'draining' | 'drained' | 'ended' = 'open';
  #endedAt = Infinity;
  #receiveBytes: number;
  #unreportedBytes = 0;

  /** `socket`: after the handshake of TLS. */
  constructor(socket: Socket, options: ServerConnectionOptions) {
    const { pool, maxHeaderBytes, maxHeaderFields, streamWindowBytes, connectionWindowBytes, maxStreams } = options;
    this.#socket = socket;
    this.#options = options;
    this.#receiveBytes = connectionWindowBytes;
    this.#outbox = new Outbox(socket, pool, () => this.#onTaken());
    this.#sender = new DataSender(this.#outbox);
    this.#blocks = new HeaderBlocks((id, fields, last) => this.#onFields(id, fields, last), {
      maxBytes: maxHeaderBytes,
      maxFields: maxHeaderFields,
    });
    this.#reader = new FrameReader((type, flags, id, buffer, start, end) => this.#onFrame(type, flags, id, buffer, start, end));
    this.#owner = this.#createOwner();
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => this.destroy());
    // A client that has said its last word reads no answers either.
    socket.on('end', () => this.#end());
    socket.once('close', () => {
      this.#over();
      options.onClosed();
    });
    this.#outbox.push(
      settings([
        [SETTING.maxConcurrentStreams, maxStreams],
        [SETTING.initialWindowSize, streamWindowBytes],
        [SETTING.maxHeaderListSize, maxHeaderBytes],
      ]),
    );
    this.#outbox.push(windowUpdate(0, connectionWindowBytes - DEFAULT_WINDOW_BYTES));
  }

  /** The client was told to begin no more streams. The connection closes when the last one has ended. */
  get draining(): boolean {
    return this.#state !== 'open';
  }

  /** For so many milliseconds it has waited for its client to take the last bytes and close its side; 0 before. */
  endedMs(now: number): number {
    return Math.max(0, now - this.#endedAt);
  }

  /** Of what there is to send, nothing was taken for so many milliseconds; 0 when there is nothing to send. */
  stalledMs(now: number): number {
    return this.#outbox.stalledMs(now);
  }

  /**
   * Tells the client to make another connection for new requests (GOAWAY). Requests that it has sent are still served,
   * until it shows that it knows (§6.8) or this is called again.
   */
  drain(): void {
    if (this.#state === 'open') {
      this.#state = 'draining';
      this.#outbox.push(goAway(ERROR_CODE.noError, LAST_STREAM));
      this.#outbox.push(frame(FRAME.ping, 0, 0, DRAIN_PING));
    } else if (this.#state === 'draining') this.#finishDraining();
  }

  /** Cuts it. May be called again. */
  destroy(): void {
    this.#over();
    this.#socket.destroy();
  }

  #finishDraining(): void {
    this.#state = 'drained';
    this.#outbox.push(goAway(ERROR_CODE.noError, this.#lastStream));
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#state === 'drained' && this.#streams.size === 0) this.#end();
  }

  /**
   * Sends what waits and ends its side. What still comes is read and dropped until the client has ended its own: bytes
   * that nobody reads would reset the connection, with whatever of the answers is on its way.
   */
  #end(): void {
    if (this.#state === 'ended') return;
    this.#outbox.flush();
    this.#over();
    this.#socket.end();
  }

  #fail({ code }: ProtocolError): void {
    // What came before in the same chunk may have ended it in good order.
    if (this.#state === 'ended') return;
    this.#outbox.push(goAway(code, this.#lastStream));
    this.#end();
    // Who floods the connection goes on: reading the rest of it would take the time that closing is to save.
    if (code === ERROR_CODE.enhanceYourCalm) {
      this.#socket.destroySoon();
      return;
    }
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #over(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#endedAt = performance.now();
    for (const stream of this.#streams.values()) stream.close();
  }

  #createOwner(): StreamOwner {
    return {
      sendFields: (stream, fields, last) => this.#sendFields(stream.id, fields, last),
      sendData: (stream, bytes) => this.#sender.sendNow(stream, bytes),
      sendQueued: (stream) => this.#sender.sendQueue(stream),
      sendEnd: (stream) => this.#outbox.pushFrame(FRAME.data, FLAG.endStream, stream.id, NOTHING, 0, 0),
      sendReset: (stream, code) => this.#sendReset(stream.id, code),
      sendWindow: (stream, bytes) => this.#outbox.push(windowUpdate(stream.id, bytes)),
      forget: (stream) => {
        this.#streams.delete(stream.id);
        this.#sender.forget(stream);
        this.#endIfDone();
      },
    };
  }

  #sendFields(id: number, fields: readonly WrittenField[], last: boolean): void {
    this.#sender.sendBlock(id, this.#encoder.encode(fields), last);
  }

  #sendReset(id: number, code: number): void {
    if (this.#state === 'ended') return;
    this.#outbox.push(rstStream(id, code));
    this.#reset.add(id);
    if (this.#reset.size <= MAX_RESET_IDS) return;
    const [oldest = 0] = this.#reset;
    this.#reset.delete(oldest);
  }

  #onTaken(): void {
    if (this.#state !== 'ended') this.#sender.sendQueued();
  }

  // What the client sends

  #onData(chunk: Buffer): void {
    // What comes behind the end is taken and dropped, so that the end arrives.
    if (this.#state === 'ended') return;
    try {
      const start = this.#prefaceBytes < PREFACE.byteLength ? this.#onPreface(chunk) : 0;
      if (start < chunk.byteLength) this.#reader.push(start === 0 ? chunk : chunk.subarray(start));
      if (this.#outbox.pendingBytes > MAX_UNREAD_BYTES) this.destroy();
      this.#serveBegun();
    } catch (error) {
      if (error instanceof ProtocolError) this.#fail(error);
      else {
        // Where the next frame begins is not known any more.
        this.destroy();
        throw error;
      }
    }
  }

  /** Streams that the client has reset meanwhile are never served. */
  #serveBegun(): void {
    if (this.#begun.length === 0) return;
    const begun = this.#begun;
    this.#begun = [];
    for (const stream of begun) if (!stream.closed) this.#options.onStream(stream);
  }

  /** Returns where the frames begin. */
  #onPreface(chunk: Buffer): number {
    const end = Math.min(chunk.byteLength, PREFACE.byteLength - this.#prefaceBytes);
    if (chunk.compare(PREFACE, this.#prefaceBytes, this.#prefaceBytes + end, 0, end) !== 0)
      throw new ProtocolError(ERROR_CODE.protocolError, 'the client does not speak HTTP/2');
    this.#prefaceBytes += end;
    return end;
  }

  #onFrame(type: number, flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    if (this.#state === 'ended') return;
    if (!this.#isIntroduced) {
      if (type !== FRAME.settings || (flags & FLAG.ack) !== 0)
        throw new ProtocolError(ERROR_CODE.protocolError, 'SETTINGS must come first');
      this.#isIntroduced = true;
    }
    this.#blocks.check(type, id);
    switch (type) {
      case FRAME.data:
        this.#onBody(flags, id, buffer, start, end);
        return;
      case FRAME.headers:
        this.#checkStream(id);
        this.#blocks.begin(flags, id, buffer, start, end);
        return;
      case FRAME.continuation:
        this.#blocks.continue(flags, buffer, start, end);
        return;
      case FRAME.priority:
        this.#checkStream(id);
        checkLength(end - start, PRIORITY_BYTES);
        checkPriority(id, buffer, start);
        this.#abuse.spend(COST.frame);
        return;
      case FRAME.rstStream:
        checkLength(end - start, 4);
        this.#onReset(id);
        return;
      case FRAME.settings:
        this.#onSettings(flags, id, buffer, start, end);
        return;
      case FRAME.ping:
        this.#onPing(flags, id, buffer, start, end);
        return;
      case FRAME.goAway:
        checkConnection(id);
        if (end - start < 8) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is too short');
        this.drain();
        return;
      case FRAME.windowUpdate:
        checkLength(end - start, 4);
        this.#onWindowUpdate(id, buffer.readUInt32BE(start) & 0x7fff_ffff);
        return;
      case FRAME.pushPromise:
        throw new ProtocolError(ERROR_CODE.protocolError, 'clients do not push');
      default:
        // §4.1: unknown types are passed over.
        this.#abuse.spend(COST.frame);
    }
  }

  #onBody(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    this.#checkBegun(id);
    const bytes = end - start;
    this.#receiveBytes -= bytes;
    if (this.#receiveBytes < 0) throw new ProtocolError(ERROR_CODE.flowControlError, 'the client sends more than it may');
    this.#report(bytes);
    if (id > this.#lastStream) return;
    const [from, to] = withoutPadding(flags, buffer, start, end);
    const last = (flags & FLAG.endStream) !== 0;
    if (from === to && !last) this.#abuse.spend(COST.frame);
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (!this.#reset.has(id)) this.#refuse(id, ERROR_CODE.streamClosed);
    } else if (stream.remoteEnded) this.#refuse(id, ERROR_CODE.streamClosed);
    else if (!stream.receive(buffer, from, to, bytes)) this.#refuse(id, ERROR_CODE.flowControlError);
    else if (stream.isOfWrongLength(last)) this.#refuse(id, ERROR_CODE.protocolError);
    else if (last) stream.receiveEnd();
  }

  /** Given back as soon as it comes: what is held is bounded by the windows of the streams. */
  #report(bytes: number): void {
    this.#unreportedBytes += bytes;
    if (this.#unreportedBytes < this.#options.connectionWindowBytes / 2) return;
    this.#outbox.push(windowUpdate(0, this.#unreportedBytes));
    this.#receiveBytes += this.#unreportedBytes;
    this.#unreportedBytes = 0;
  }

  #onFields(id: number, fields: readonly ReceivedField[] | undefined, last: boolean): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#onTrailers(stream, fields, last);
    else if (this.#reset.has(id)) return;
    else if (id <= this.#lastStream) throw new ProtocolError(ERROR_CODE.streamClosed, 'headers on a stream that was closed');
    else this.#onRequest(id, fields, last);
  }

  #onTrailers(stream: ServerStream, fields: readonly ReceivedField[] | undefined, last: boolean): void {
    if (stream.remoteEnded) this.#refuse(stream.id, ERROR_CODE.streamClosed);
    else if (!last || fields === undefined || !areTrailers(fields) || stream.isOfWrongLength(true))
      this.#refuse(stream.id, ERROR_CODE.protocolError);
    else stream.receiveEnd();
  }

  #onRequest(id: number, fields: readonly ReceivedField[] | undefined, isWhole: boolean): void {
    // Begun before the client knew that it should not, and sent after it said that it did (§6.8).
    if (this.#state === 'drained') {
      this.#abuse.spend(COST.frame);
      return;
    }
    this.#lastStream = id;
    if (this.#streams.size >= this.#options.maxStreams) {
      this.#refuse(id, ERROR_CODE.refusedStream);
      return;
    }
    if (fields === undefined) {
      this.#abuse.spend(COST.oversizedHeaders);
      this.#sendFields(id, [{ name: ':status', value: '431' }], true);
      if (!isWhole) this.#sendReset(id, ERROR_CODE.noError);
      return;
    }
    const request = readRequestFields(fields);
    if (request === undefined) {
      this.#refuse(id, ERROR_CODE.protocolError);
      return;
    }
    const stream = new ServerStream({
      id,
      request,
      isWhole,
      owner: this.#owner,
      sendWindowBytes: this.#sender.initialWindowBytes,
      receiveWindowBytes: this.#options.streamWindowBytes,
    });
    if (isWhole && stream.isOfWrongLength(true)) {
      this.#refuse(id, ERROR_CODE.protocolError);
      return;
    }
    this.#streams.set(id, stream);
    this.#begun.push(stream);
  }

  #onReset(id: number): void {
    this.#checkBegun(id);
    this.#abuse.spend(COST.frame);
    this.#streams.get(id)?.close();
  }

  #onSettings(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    checkConnection(id);
    if ((flags & FLAG.ack) !== 0) {
      checkLength(end - start, 0);
      return;
    }
    if (end - start > 6 * MAX_SETTINGS) throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'too many settings');
    if ((end - start) % 6 !== 0) throw new ProtocolError(ERROR_CODE.frameSizeError, 'SETTINGS of a length that cannot be');
    this.#abuse.spend(COST.frame);
    for (let at = start; at < end; at += 6) this.#onSetting(buffer.readUInt16BE(at), buffer.readUInt32BE(at + 2));
    this.#outbox.push(frame(FRAME.settings, FLAG.ack, 0, NOTHING));
    this.#sender.sendQueued();
  }

  #onSetting(setting: number, value: number): void {
    switch (setting) {
      case SETTING.headerTableSize:
        this.#encoder.limitTable(value);
        return;
      case SETTING.enablePush:
        if (value > 1) throw new ProtocolError(ERROR_CODE.protocolError, 'a setting that cannot be');
        return;
      case SETTING.initialWindowSize:
        this.#sender.limitStreams(value, this.#streams.values());
        return;
      case SETTING.maxFrameSize:
        this.#sender.limitFrames(value);
        return;
      default:
    }
  }

  #onPing(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    checkConnection(id);
    checkLength(end - start, 8);
    this.#abuse.spend(COST.frame);
    if ((flags & FLAG.ack) === 0) this.#outbox.push(frame(FRAME.ping, FLAG.ack, 0, buffer.subarray(start, end)));
    else if (this.#state === 'draining' && DRAIN_PING.equals(buffer.subarray(start, end))) this.#finishDraining();
  }

  #onWindowUpdate(id: number, bytes: number): void {
    if (id === 0) {
      if (bytes === 0) throw new ProtocolError(ERROR_CODE.protocolError, 'a window is widened by nothing');
      this.#sender.widen(bytes);
      return;
    }
    this.#checkBegun(id);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (bytes === 0) this.#refuse(id, ERROR_CODE.protocolError);
    else if (!this.#sender.widenStream(stream, bytes)) this.#refuse(id, ERROR_CODE.flowControlError);
  }

  /** Resets the stream for what the client did. */
  #refuse(id: number, code: number): void {
    this.#abuse.spend(code === ERROR_CODE.refusedStream ? COST.frame : COST.violation);
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#sendReset(id, code);
    else stream.reset(code);
  }

  /** Streams that clients begin have odd numbers. */
  #checkStream(id: number): void {
    if (id % 2 === 0) throw new ProtocolError(ERROR_CODE.protocolError, 'a frame on a stream that clients do not begin');
  }

  #checkBegun(id: number): void {
    this.#checkStream(id);
    if (id > this.#lastStream && this.#state !== 'drained')
      throw new ProtocolError(ERROR_CODE.protocolError, 'a frame on a stream that was not begun');
  }
}

function checkConnection(id: number): void {
  if (id !== 0) throw new ProtocolError(ERROR_CODE.protocolError, 'a frame of the connection on a stream');
}

function checkLength(bytes: number, wanted: number): void {
  if (bytes !== wanted) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame of a length that cannot be');
}
