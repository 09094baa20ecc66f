/**
 * Composes filters. A filter must accept the context type that the previous one passes on, which the compiler checks.
 */
import type { ContextFilter, RequestContext, RequestHandler } from './context.ts';

export class ChainBuilder<From extends RequestContext, To extends RequestContext> {
  readonly names: readonly string[];
  readonly #wrap: ContextFilter<From, To>;

  private constructor(names: readonly string[], wrap: ContextFilter<From, To>) {
    this.names = names;
    this.#wrap = wrap;
  }

  static start(): ChainBuilder<RequestContext, RequestContext> {
    return new ChainBuilder([], (next) => next);
  }

  /** Adds a step that passes the context on unchanged. */
  filter(name: string, filter: ContextFilter<To, To>): ChainBuilder<From, To> {
    return this.contextFilter(name, filter);
  }

  /** Adds a step that extends the context. */
  contextFilter<Next extends RequestContext>(name: string, filter: ContextFilter<To, Next>): ChainBuilder<From, Next> {
    return new ChainBuilder([...this.names, name], (next) => this.#wrap(filter(next)));
  }

  end(handler: RequestHandler<To>): RequestHandler<From> {
    return this.#wrap(handler);
  }
}
