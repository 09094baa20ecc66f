/** The header blocks of the requests of one connection. Few of them differ, so they are cached. */
import type { StreamHead } from '../transport.ts';
import { HpackEncoder } from '../../../http2/hpack-encoder.ts';

interface RequestHeadersOptions {
  readonly secure: boolean;
  readonly authority: string;
}

export interface RequestHead extends StreamHead {
  /** Sent to the server, which enforces it too. Absent: no deadline. */
  readonly timeoutMs?: number | undefined;
}

interface CachedBlock extends Omit<RequestHead, 'path'> {
  /** Size of the encoder's table when the block was made; indexes shift with later entries. */
  readonly entered: number;
  readonly block: Buffer;
}

export class RequestHeaders {
  readonly #options: RequestHeadersOptions;
  readonly #encoder = new HpackEncoder();
  readonly #cached = new Map<string, CachedBlock>();

  constructor(options: RequestHeadersOptions) {
    this.#options = options;
  }

  limitTable(bytes: number): void {
    if (this.#encoder.limitTable(bytes)) this.#cached.clear();
  }

  /** Blocks must be sent in the order in which they were requested. */
  block({ path, token, timeoutMs, metadata }: RequestHead): Buffer {
    const cached = this.#cached.get(path);
    if (
      cached !== undefined &&
      cached.entered === this.#encoder.entered &&
      cached.token === token &&
      cached.timeoutMs === timeoutMs &&
      cached.metadata === metadata
    )
      return cached.block;
    const { secure, authority } = this.#options;
    const before = this.#encoder.entered;
    const block = this.#encoder.encode([
      { name: ':method', value: 'POST' },
      { name: ':scheme', value: secure ? 'https' : 'http' },
      { name: ':path', value: path },
      { name: ':authority', value: authority },
      ...(timeoutMs === undefined ? [] : [{ name: 'grpc-timeout', value: toGrpcTimeout(timeoutMs) }]),
      { name: 'content-type', value: 'application/grpc' },
      { name: 'user-agent', value: 'coxswain' },
      { name: 'te', value: 'trailers' },
      ...Object.entries(metadata ?? {}).map(([name, value]) => ({ name, value })),
      ...(token === undefined ? [] : [{ name: 'token', value: token, secret: true }]),
    ]);
    const entered = this.#encoder.entered;
    // Sending a block that adds table entries twice would add them twice.
    if (entered === before) this.#cached.set(path, { token, timeoutMs, metadata, entered, block });
    return block;
  }
}

/** The format allows eight digits and a unit. */
function toGrpcTimeout(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms));
  return whole < 1e8 ? `${whole}m` : `${Math.ceil(whole / 1000)}S`;
}
