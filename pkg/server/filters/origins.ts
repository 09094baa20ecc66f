/** Origins of web pages that may use the API (`--cors-allowed-origins`). */

/** Longer texts cannot be origins; patterns are not run on them. */
const MAX_ORIGIN_LENGTH = 512;

export class AllowedOrigins {
  readonly #patterns: readonly RegExp[];

  /** An origin is allowed when one pattern matches. */
  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  has(origin: string): boolean {
    return origin.length <= MAX_ORIGIN_LENGTH && this.#patterns.some((pattern) => pattern.test(origin));
  }
}
