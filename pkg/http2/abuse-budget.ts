/**
 * Limits what a client may do on a connection that makes work and asks for nothing: frames without effect, resets,
 * malformed requests (rapid reset, CVE-2023-44487; provoked resets, CVE-2025-8671; floods of PING, SETTINGS, PRIORITY
 * and empty DATA, CVE-2019-9512 to 9518). A token bucket with the size and rate that nghttp2 has for resets: clients
 * that cancel many requests at once stay far below it.
 */
import { ERROR_CODE, ProtocolError } from './frames.ts';

const MAX_TOKENS = 1000;
const TOKENS_PER_SECOND = 33;

/** In tokens. */
export const COST = {
  /** A frame without effect, or a stream that the client resets. */
  frame: 1,
  /** A stream that the server resets for what the client did: no client does so twice by mistake. */
  violation: 50,
  /** A header block beyond the limits, which was decoded for nothing. */
  oversizedHeaders: 100,
} as const;

export class AbuseBudget {
  #tokens = MAX_TOKENS;
  #refilledAt = performance.now();

  /** Throws ProtocolError ENHANCE_YOUR_CALM when the budget is spent. */
  spend(tokens: number): void {
    if (this.#tokens < tokens) this.#refill();
    if (this.#tokens < tokens) throw new ProtocolError(ERROR_CODE.enhanceYourCalm, 'too many frames without effect');
    this.#tokens -= tokens;
  }

  #refill(): void {
    const now = performance.now();
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + ((now - this.#refilledAt) / 1000) * TOKENS_PER_SECOND);
    this.#refilledAt = now;
  }
}
