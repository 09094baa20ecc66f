/** The header blocks of the calls of one connection. There are few different ones, so each is made once and kept. */
import { HpackEncoder } from '../../../http2/hpack-encoder.ts';

export interface RequestHeadersOptions {
  readonly secure: boolean;
  readonly authority: string;
}

/** What the header block of a call says. */
export interface RequestHead {
  readonly path: string;
  readonly token: string | undefined;
  /** Said to the server, which then gives up too. Absent: the call may take for ever. */
  readonly timeoutMs?: number | undefined;
  /** As they are sent: names in lower case. The same object each time, so that the block is known again. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

interface KeptBlock extends Omit<RequestHead, 'path'> {
  /** What the encoder had entered then; older numbers mean other fields by now. */
  readonly entered: number;
  readonly block: Buffer;
}

export class RequestHeaders {
  readonly #options: RequestHeadersOptions;
  readonly #encoder = new HpackEncoder();
  readonly #kept = new Map<string, KeptBlock>();

  constructor(options: RequestHeadersOptions) {
    this.#options = options;
  }

  limitTable(bytes: number): void {
    if (this.#encoder.limitTable(bytes)) this.#kept.clear();
  }

  /** The block must be sent, and before any later one. */
  block({ path, token, timeoutMs, metadata }: RequestHead): Buffer {
    const kept = this.#kept.get(path);
    if (
      kept !== undefined &&
      kept.entered === this.#encoder.entered &&
      kept.token === token &&
      kept.timeoutMs === timeoutMs &&
      kept.metadata === metadata
    )
      return kept.block;
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
    // One that has entered fields must not be sent twice.
    if (entered === before) this.#kept.set(path, { token, timeoutMs, metadata, entered, block });
    return block;
  }
}

/** At most eight digits and a unit. */
function toGrpcTimeout(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms));
  return whole < 1e8 ? `${whole}m` : `${Math.ceil(whole / 1000)}S`;
}
