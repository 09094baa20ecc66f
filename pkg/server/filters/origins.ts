/** Web pages of which origins may use the API (`--cors-allowed-origins`). */

/** An origin is a scheme, a host and a port: longer ones are none, and no pattern is tried on them. */
const MAX_ORIGIN_LENGTH = 512;

export class AllowedOrigins {
  readonly #patterns: readonly RegExp[];

  /** One that matches is enough. */
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
