/**
 * Composes filters. A filter must accept the context type that the previous one passes on, which the compiler checks.
 */
import type { PhaseFilter, RequestContext, FilterStep } from './context.ts';

export class ChainBuilder<From extends RequestContext, To extends RequestContext> {
  readonly names: readonly string[];
  readonly #wrap: PhaseFilter<From, To>;

  private constructor(names: readonly string[], wrap: PhaseFilter<From, To>) {
    this.names = names;
    this.#wrap = wrap;
  }

  static start(): ChainBuilder<RequestContext, RequestContext> {
    return new ChainBuilder([], (next) => next);
  }

  /** Adds a step that passes the context on unchanged. */
  filter(name: string, filter: PhaseFilter<To, To>): ChainBuilder<From, To> {
    return this.phase(name, filter);
  }

  /** Adds a step that extends the context. */
  phase<Next extends RequestContext>(name: string, filter: PhaseFilter<To, Next>): ChainBuilder<From, Next> {
    return new ChainBuilder([...this.names, name], (next) => this.#wrap(filter(next)));
  }

  end(handler: FilterStep<To>): FilterStep<From> {
    return this.#wrap(handler);
  }
}
