/**
 * The server side of one HTTP/2 connection (RFC 9113). A watch event takes half the processor time of `node:http2`:
 * there are no events and callbacks for each write, and all frames of one tick are one write to the socket.
 *
 * Limits on hostile clients: open streams, header blocks (CONTINUATION, CVE-2024-27316), unread bytes of requests and
 * responses, and useless work (`abuse-budget.ts`). The owner enforces timeouts.
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
import { FrameWriter } from './frame-writer.ts';
import type { FramePagePool } from './page-pool.ts';
import type { ReceivedField } from './received-field.ts';
import { areTrailers, readRequestFields } from './request-fields.ts';
import { ServerStream, type StreamOwner } from './server-stream.ts';

/** Number of reset streams whose late frames are tolerated. */
const MAX_RESET_IDS = 250;
/** Limits acknowledgements and resets that the client does not read. Responses are queued in their streams. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Delay before a connection is destroyed after a protocol error, so that GOAWAY arrives. */
const LINGER_MS = 500;
/** Limit per SETTINGS frame, because each setting may affect every stream. */
const MAX_SETTINGS = 32;
const MAX_STREAM_ID = 2 ** 31 - 1;
const EMPTY = Buffer.alloc(0);
/** Its acknowledgement proves that the client has received the GOAWAY before it. */
const DRAIN_PING = Buffer.from('draining', 'latin1');

export interface ServerConnectionOptions {
  readonly pool: FramePagePool;
  /** Concurrent streams. Further ones are refused, and clients retry them. */
  readonly maxStreams: number;
  /** Limits on the header fields of a request, with sizes as in RFC 9113 §6.5.2. Beyond them the status is 431. */
  readonly maxHeaderBytes: number;
  readonly maxHeaderFields: number;
  /** The receive window of a stream. */
  readonly streamWindowBytes: number;
  /** The receive window of the connection. */
  readonly connectionWindowBytes: number;
  readonly onStream: (stream: ServerStream) => void;
  /** Called exactly once, after the socket and all streams are closed. */
  readonly onClosed: () => void;
}

export class ServerConnection {
  readonly #socket: Socket;
  readonly #options: ServerConnectionOptions;
  readonly #frameWriter: FrameWriter;
  readonly #sender: DataSender;
  readonly #encoder = new HpackEncoder();
  readonly #blocks: HeaderBlocks;
  readonly #reader: FrameReader;
  readonly #owner: StreamOwner;
  readonly #streams = new Map<number, ServerStream>();
  /** Ids of streams that the server has reset, oldest first. */
  readonly #reset = new Set<number>();
  readonly #abuse = new AbuseBudget();
  /** New streams of the current chunk, not yet passed to the owner. */
  #newStreams: ServerStream[] = [];
  #receivedPrefaceBytes = 0;
  #hasReceivedSettings = false;
  #lastStream = 0;
  /** `draining`: GOAWAY was sent. `drained`: the client has received it. */
  #state: 'open' | 'draining' | 'drained' | 'ended' = 'open';
  #endedAt = Infinity;
  #receiveBytes: number;
  #unreportedBytes = 0;

  /** `socket`: plain, or after its TLS handshake. */
  constructor(socket: Socket, options: ServerConnectionOptions) {
    const { pool, maxHeaderBytes, maxHeaderFields, streamWindowBytes, connectionWindowBytes, maxStreams } = options;
    this.#socket = socket;
    this.#options = options;
    this.#receiveBytes = connectionWindowBytes;
    this.#frameWriter = new FrameWriter(socket, pool, () => this.#onTaken());
    this.#sender = new DataSender(this.#frameWriter);
    this.#blocks = new HeaderBlocks((id, fields, last) => this.#onFields(id, fields, last), {
      maxBytes: maxHeaderBytes,
      maxFields: maxHeaderFields,
    });
    this.#reader = new FrameReader((type, flags, id, buffer, start, end) => this.#onFrame(type, flags, id, buffer, start, end));
    this.#owner = this.#createOwner();
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => this.destroy());
    // A client that ends its side does not read responses either.
    socket.on('end', () => this.#end());
    socket.once('close', () => {
      this.#closeStreams();
      options.onClosed();
    });
    this.#frameWriter.push(
      settings([
        [SETTING.maxConcurrentStreams, maxStreams],
        [SETTING.initialWindowSize, streamWindowBytes],
        [SETTING.maxHeaderListSize, maxHeaderBytes],
      ]),
    );
    this.#frameWriter.push(windowUpdate(0, connectionWindowBytes - DEFAULT_WINDOW_BYTES));
  }

  /** GOAWAY was sent. The connection closes when the last stream has ended. */
  get draining(): boolean {
    return this.#state !== 'open';
  }

  /** Milliseconds since this side ended and waits for the client to end too; 0 before. */
  endedMs(now: number): number {
    return Math.max(0, now - this.#endedAt);
  }

  /** Milliseconds in which the client has not read any pending bytes; 0 when there are none. */
  stalledMs(now: number): number {
    return this.#frameWriter.stalledMs(now);
  }

  /** Sends GOAWAY. New requests are still served until the client has received it (§6.8) or this is called again. */
  drain(): void {
    if (this.#state === 'open') {
      this.#state = 'draining';
      this.#frameWriter.push(goAway(ERROR_CODE.noError, MAX_STREAM_ID));
      this.#frameWriter.push(frame(FRAME.ping, 0, 0, DRAIN_PING));
    } else if (this.#state === 'draining') this.#finishDraining();
  }

  /** Closes at once. Idempotent. */
  destroy(): void {
    this.#closeStreams();
    this.#socket.destroy();
  }

  #finishDraining(): void {
    this.#state = 'drained';
    this.#frameWriter.push(goAway(ERROR_CODE.noError, this.#lastStream));
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#state === 'drained' && this.#streams.size === 0) this.#end();
  }

  /**
   * Sends what is pending and ends this side. Received bytes are still read and dropped, because unread bytes would
   * reset the connection and lose responses.
   */
  #end(): void {
    if (this.#state === 'ended') return;
    this.#frameWriter.flush();
    this.#closeStreams();
    this.#socket.end();
  }

  #fail({ code }: ProtocolError): void {
    // An earlier frame of the same chunk may have ended it.
    if (this.#state === 'ended') return;
    this.#frameWriter.push(goAway(code, this.#lastStream));
    this.#end();
    // Closing at once saves the time to read the rest of a flood.
    if (code === ERROR_CODE.enhanceYourCalm) {
      this.#socket.destroySoon();
      return;
    }
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #closeStreams(): void {
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
      sendEnd: (stream) => this.#frameWriter.pushFrame(FRAME.data, FLAG.endStream, stream.id, EMPTY, 0, 0),
      sendReset: (stream, code) => this.#sendReset(stream.id, code),
      sendWindow: (stream, bytes) => this.#frameWriter.push(windowUpdate(stream.id, bytes)),
      onClosed: (stream) => {
        this.#streams.delete(stream.id);
        this.#sender.remove(stream);
        this.#endIfDone();
      },
    };
  }

  #sendFields(id: number, fields: readonly WrittenField[], last: boolean): void {
    this.#sender.sendBlock(id, this.#encoder.encode(fields), last);
  }

  #sendReset(id: number, code: number): void {
    if (this.#state === 'ended') return;
    this.#frameWriter.push(rstStream(id, code));
    this.#reset.add(id);
    if (this.#reset.size <= MAX_RESET_IDS) return;
    const [oldest = 0] = this.#reset;
    this.#reset.delete(oldest);
  }

  #onTaken(): void {
    if (this.#state !== 'ended') this.#sender.sendQueued();
  }

  // Received frames

  #onData(chunk: Buffer): void {
    if (this.#state === 'ended') return;
    try {
      const start = this.#receivedPrefaceBytes < PREFACE.byteLength ? this.#onPreface(chunk) : 0;
      if (start < chunk.byteLength) this.#reader.push(start === 0 ? chunk : chunk.subarray(start));
      if (this.#frameWriter.pendingBytes > MAX_UNREAD_BYTES) this.destroy();
      this.#serveNewStreams();
    } catch (error) {
      if (error instanceof ProtocolError) this.#fail(error);
      else {
        // The frame reader may have lost its position.
        this.destroy();
        throw error;
      }
    }
  }

  /** Streams that the client has already reset are skipped. */
  #serveNewStreams(): void {
    if (this.#newStreams.length === 0) return;
    const streams = this.#newStreams;
    this.#newStreams = [];
    for (const stream of streams) if (!stream.closed) this.#options.onStream(stream);
  }

  /** Returns the position after the preface. */
  #onPreface(chunk: Buffer): number {
    const end = Math.min(chunk.byteLength, PREFACE.byteLength - this.#receivedPrefaceBytes);
    if (chunk.compare(PREFACE, this.#receivedPrefaceBytes, this.#receivedPrefaceBytes + end, 0, end) !== 0)
      throw new ProtocolError(ERROR_CODE.protocolError, 'the client does not speak HTTP/2');
    this.#receivedPrefaceBytes += end;
    return end;
  }

  #onFrame(type: number, flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    if (this.#state === 'ended') return;
    if (!this.#hasReceivedSettings) {
      if (type !== FRAME.settings || (flags & FLAG.ack) !== 0)
        throw new ProtocolError(ERROR_CODE.protocolError, 'SETTINGS must come first');
      this.#hasReceivedSettings = true;
    }
    this.#blocks.check(type, id);
    if (type === FRAME.data) this.#onBody(flags, id, buffer, start, end);
    else if (type === FRAME.headers) {
      checkStream(id);
      this.#blocks.begin(flags, id, buffer, start, end);
    } else if (type === FRAME.windowUpdate) {
      checkLength(end - start, 4);
      this.#onWindowUpdate(id, buffer.readUInt32BE(start) & 0x7fff_ffff);
    } else if (type === FRAME.rstStream) {
      checkLength(end - start, 4);
      this.#onReset(id);
    } else if (type === FRAME.ping) this.#onPing(flags, id, buffer, start, end);
    else if (type === FRAME.continuation) this.#blocks.continue(flags, buffer, start, end);
    else if (type === FRAME.settings) this.#onSettings(flags, id, buffer, start, end);
    else if (type === FRAME.goAway) {
      checkConnection(id);
      if (end - start < 8) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame is too short');
      this.drain();
    } else if (type === FRAME.pushPromise) throw new ProtocolError(ERROR_CODE.protocolError, 'clients must not push');
    else {
      if (type === FRAME.priority) {
        checkStream(id);
        checkLength(end - start, PRIORITY_BYTES);
        checkPriority(id, buffer, start);
      }
      // Unknown types are ignored too (§4.1).
      this.#abuse.spend(COST.frame);
    }
  }

  #onBody(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    this.#checkOpened(id);
    const bytes = end - start;
    this.#receiveBytes -= bytes;
    if (this.#receiveBytes < 0) throw new ProtocolError(ERROR_CODE.flowControlError, 'the client exceeds the connection window');
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
    else if (stream.hasWrongLength(last)) this.#refuse(id, ERROR_CODE.protocolError);
    else if (last) stream.receiveEnd();
  }

  /** Widens the connection window at once: memory is bounded by the windows of the streams. */
  #report(bytes: number): void {
    this.#unreportedBytes += bytes;
    if (this.#unreportedBytes < this.#options.connectionWindowBytes / 2) return;
    this.#frameWriter.push(windowUpdate(0, this.#unreportedBytes));
    this.#receiveBytes += this.#unreportedBytes;
    this.#unreportedBytes = 0;
  }

  #onFields(id: number, fields: readonly ReceivedField[] | undefined, last: boolean): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#onTrailers(stream, fields, last);
    else if (this.#reset.has(id)) return;
    else if (id <= this.#lastStream) throw new ProtocolError(ERROR_CODE.streamClosed, 'HEADERS on a closed stream');
    else this.#onRequest(id, fields, last);
  }

  #onTrailers(stream: ServerStream, fields: readonly ReceivedField[] | undefined, last: boolean): void {
    if (stream.remoteEnded) this.#refuse(stream.id, ERROR_CODE.streamClosed);
    else if (!last || fields === undefined || !areTrailers(fields) || stream.hasWrongLength(true))
      this.#refuse(stream.id, ERROR_CODE.protocolError);
    else stream.receiveEnd();
  }

  #onRequest(id: number, fields: readonly ReceivedField[] | undefined, endsStream: boolean): void {
    // Opened before the client received the GOAWAY (§6.8).
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
      if (!endsStream) this.#sendReset(id, ERROR_CODE.noError);
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
      endsStream,
      owner: this.#owner,
      sendWindowBytes: this.#sender.initialWindowBytes,
      receiveWindowBytes: this.#options.streamWindowBytes,
    });
    if (endsStream && stream.hasWrongLength(true)) {
      this.#refuse(id, ERROR_CODE.protocolError);
      return;
    }
    this.#streams.set(id, stream);
    this.#newStreams.push(stream);
  }

  #onReset(id: number): void {
    this.#checkOpened(id);
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
    if ((end - start) % 6 !== 0) throw new ProtocolError(ERROR_CODE.frameSizeError, 'SETTINGS of invalid length');
    this.#abuse.spend(COST.frame);
    for (let at = start; at < end; at += 6) this.#onSetting(buffer.readUInt16BE(at), buffer.readUInt32BE(at + 2));
    this.#frameWriter.push(frame(FRAME.settings, FLAG.ack, 0, EMPTY));
    this.#sender.sendQueued();
  }

  #onSetting(setting: number, value: number): void {
    if (setting === SETTING.headerTableSize) this.#encoder.limitTable(value);
    else if (setting === SETTING.initialWindowSize) this.#sender.limitStreams(value, this.#streams.values());
    else if (setting === SETTING.maxFrameSize) this.#sender.limitFrames(value);
    else if (setting === SETTING.enablePush && value > 1) throw new ProtocolError(ERROR_CODE.protocolError, 'invalid SETTINGS_ENABLE_PUSH');
  }

  #onPing(flags: number, id: number, buffer: Buffer, start: number, end: number): void {
    checkConnection(id);
    checkLength(end - start, 8);
    this.#abuse.spend(COST.frame);
    if ((flags & FLAG.ack) === 0) this.#frameWriter.push(frame(FRAME.ping, FLAG.ack, 0, buffer.subarray(start, end)));
    else if (this.#state === 'draining' && DRAIN_PING.equals(buffer.subarray(start, end))) this.#finishDraining();
  }

  #onWindowUpdate(id: number, bytes: number): void {
    if (id === 0) {
      if (bytes === 0) throw new ProtocolError(ERROR_CODE.protocolError, 'WINDOW_UPDATE with an increment of 0');
      this.#sender.widen(bytes);
      return;
    }
    this.#checkOpened(id);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (bytes === 0) this.#refuse(id, ERROR_CODE.protocolError);
    else if (!this.#sender.widenStream(stream, bytes)) this.#refuse(id, ERROR_CODE.flowControlError);
  }

  /** Resets the stream because of a protocol violation, or the stream limit. */
  #refuse(id: number, code: number): void {
    this.#abuse.spend(code === ERROR_CODE.refusedStream ? COST.frame : COST.violation);
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#sendReset(id, code);
    else stream.reset(code);
  }

  #checkOpened(id: number): void {
    checkStream(id);
    if (id > this.#lastStream && this.#state !== 'drained') throw new ProtocolError(ERROR_CODE.protocolError, 'a frame on an idle stream');
  }
}

/** Streams of clients have odd ids. */
function checkStream(id: number): void {
  if (id % 2 === 0) throw new ProtocolError(ERROR_CODE.protocolError, 'a frame on a stream with an even id');
}

function checkConnection(id: number): void {
  if (id !== 0) throw new ProtocolError(ERROR_CODE.protocolError, 'a connection frame on a stream');
}

function checkLength(bytes: number, wanted: number): void {
  if (bytes !== wanted) throw new ProtocolError(ERROR_CODE.frameSizeError, 'a frame of invalid length');
}
