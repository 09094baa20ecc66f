/**
 * Puts filters in front of each other. The types follow the request: a filter must accept the context that the one
 * before it passes on.
 */
import type { PhaseFilter, RequestContext, FilterStep } from './context.ts';

export class ChainBuilder<From extends RequestContext, To extends RequestContext> {
  /** The names of the steps, in order. */
  readonly names: readonly string[];
  readonly #wrap: PhaseFilter<From, To>;

  private constructor(names: readonly string[], wrap: PhaseFilter<From, To>) {
    this.names = names;
    this.#wrap = wrap;
  }

  static start(): ChainBuilder<RequestContext, RequestContext> {
    return new ChainBuilder([], (next) => next);
  }

  /** A step that passes the context on as it is. */
  filter(name: string, filter: PhaseFilter<To, To>): ChainBuilder<From, To> {
    return this.phase(name, filter);
  }

  /** A step that adds a fact to the context. */
  phase<Next extends RequestContext>(name: string, filter: PhaseFilter<To, Next>): ChainBuilder<From, Next> {
    return new ChainBuilder([...this.names, name], (next) => this.#wrap(filter(next)));
  }

  end(handler: FilterStep<To>): FilterStep<From> {
    return this.#wrap(handler);
  }
}
