/**
 * The body of an HTTP/1.1 response. Chunks are framed here and written to the socket: Node would write each chunk in
 * four parts, and frame a change 1,000 times for 1,000 watchers.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { DrainWaiters } from './drain-waiters.ts';

const CRLF_BYTES = 2;
const LAST_CHUNK = '0\r\n\r\n';

function frame(bytes: Uint8Array): Buffer {
  const size = bytes.byteLength.toString(16);
  const framed = Buffer.allocUnsafeSlow(size.length + CRLF_BYTES + bytes.byteLength + CRLF_BYTES);
  framed.write(size, 0, 'latin1');
  framed.write('\r\n', size.length, 'latin1');
  framed.set(bytes, size.length + CRLF_BYTES);
  framed.write('\r\n', framed.byteLength - CRLF_BYTES, 'latin1');
  return framed;
}

/** Caches the last framed chunk, since a change is written to its watchers one after the other. */
export class ChunkFramer {
  #bytes: Uint8Array | undefined;
  #framed: Buffer = Buffer.alloc(0);

  frame(bytes: Uint8Array): Buffer {
    // Compares by identity: bytes never change after they were written.
    if (this.#bytes !== bytes) {
      this.#bytes = bytes;
      this.#framed = frame(bytes);
    }
    return this.#framed;
  }

  /** Drops the cached chunk. */
  clear(): void {
    this.#bytes = undefined;
    this.#framed = Buffer.alloc(0);
  }
}

/** Larger chunks are not copied: the parts of the frame are written separately. */
const MAX_COPIED_BYTES = 16_384;

export class Http1ResponseWriter implements ResponseWriter {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #framer: ChunkFramer | undefined;
  readonly #waiters: DrainWaiters;
  /** False over TLS, which encrypts immediately into its own memory. */
  readonly isZeroCopy: boolean;
  /** The last chunk was written. */
  #isComplete = false;
  #ended = false;

  /** `framer`: set for a chunked body. The head was already written. */
  constructor(response: ServerResponse, socket: Socket, framer: ChunkFramer | undefined) {
    this.#response = response;
    this.#socket = socket;
    this.#framer = framer;
    this.isZeroCopy = !('encrypted' in socket);
    this.#waiters = new DrainWaiters(socket);
  }

  get closed(): boolean {
    return this.#isComplete || this.#ended || this.#socket.destroyed;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    if (bytes.byteLength === 0) return true; // an empty chunk would end the body
    if (this.#framer === undefined) return this.#socket.write(bytes);
    if (bytes.byteLength <= MAX_COPIED_BYTES) return this.#socket.write(this.#framer.frame(bytes));
    return this.writeAll([bytes], bytes.byteLength);
  }

  writeAll(parts: readonly Uint8Array[], byteLength: number): boolean {
    if (this.closed) return false;
    return byteLength === 0 || this.#writeChunk(parts, byteLength, '');
  }

  endWith(parts: readonly Uint8Array[], byteLength: number): boolean {
    if (this.closed) return false;
    if (byteLength === 0) return true;
    this.#isComplete = true;
    return this.#writeChunk(parts, byteLength, LAST_CHUNK);
  }

  drained(): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#waiters.drained();
  }

  /** Ends the response normally. */
  end(): void {
    this.#release();
    // Prevents Node from writing the last chunk again.
    if (this.#isComplete) this.#response.chunkedEncoding = false;
    this.#response.end();
  }

  /** Aborts the response, so that the client sees that it is incomplete. */
  abort(): void {
    this.#release();
    this.#socket.destroy();
  }

  /** Writes one chunk and then `suffix`. The bytes of an unchunked body have no frame and no suffix. */
  #writeChunk(parts: readonly Uint8Array[], byteLength: number, suffix: string): boolean {
    this.#socket.cork();
    if (this.#framer !== undefined) this.#socket.write(`${byteLength.toString(16)}\r\n`, 'latin1');
    for (const part of parts) this.#socket.write(part);
    if (this.#framer !== undefined) this.#socket.write(`\r\n${suffix}`, 'latin1');
    this.#socket.uncork();
    return !this.#socket.writableNeedDrain;
  }

  #release(): void {
    this.#ended = true;
    this.#framer?.clear();
    this.#waiters.release();
  }
}
