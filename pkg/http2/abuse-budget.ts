/**
 * Limits frames that cause work but have no purpose: resets, malformed requests and frames without effect (rapid reset,
 * CVE-2023-44487; provoked resets, CVE-2025-8671; floods of PING, SETTINGS, PRIORITY and empty DATA, CVE-2019-9512 to
 * 9518). The token bucket has nghttp2's size and rate for resets, far above what clients need to cancel many requests.
 */
import { ERROR_CODE, ProtocolError } from './frames.ts';

const MAX_TOKENS = 1000;
const TOKENS_PER_SECOND = 33;

export const COST = {
  /** A frame without effect, or a stream that the client resets. */
  frame: 1,
  /** A stream that the server resets because of a protocol violation, which well-behaved clients do not repeat. */
  violation: 50,
  /** A header block beyond the limits, which must be decoded nevertheless. */
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
