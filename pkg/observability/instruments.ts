/** Counters, gauges and histograms. A family has a child per combination of labels; hot paths keep the child. */
export interface Counter {
  inc(by?: number): void;
}
export interface Gauge {
  set(value: number): void;
  add(by: number): void;
}
export interface Histogram {
  /** `value`: in the unit of the metric's name, seconds or bytes. */
  observe(value: number): void;
}

/** Children are created on first use and never removed, so label values must come from a closed set. */
export interface Family<Child> {
  /** `values` in the order of the declared label names. Returns the same child for the same values. */
  with(...values: readonly string[]): Child;
}

/** A line of the exposition. */
export interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const escapeLabel = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const labelText = (names: readonly string[], values: readonly string[]) =>
  names.map((name, i) => `${name}="${escapeLabel(values[i] ?? '')}"`).join(',');

/** As Go writes it, since a bound is part of a series' name: `0.5`, `1e+06`, `1e-08`. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return '+Inf';
  if (bound === 0 || (bound >= 1e-4 && bound < 1e6)) return String(bound);
  return bound.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

class ChildMap<Child> {
  readonly #names: readonly string[];
  readonly #create: () => Child;
  readonly #children = new Map<string, { readonly labels: string; readonly child: Child }>();

  constructor(names: readonly string[], create: () => Child) {
    this.#names = names;
    this.#create = create;
  }

  with(values: readonly string[]): Child {
    const key = values.join('\0');
    let found = this.#children.get(key);
    if (found === undefined) {
      found = { labels: labelText(this.#names, values), child: this.#create() };
      this.#children.set(key, found);
    }
    return found.child;
  }

  entries() {
    return this.#children.values();
  }
}

class NumberCell implements Counter, Gauge {
  value = 0;
  inc(by = 1): void {
    this.value += by;
  }
  add(by: number): void {
    this.value += by;
  }
  set(value: number): void {
    this.value = value;
  }
}

class HistogramCell implements Histogram {
  readonly #bounds: readonly number[];
  /** One more than bounds: the last counts all higher values. Not cumulative. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] ?? 0)) i++;
    this.counts[i] = (this.counts[i] ?? 0) + 1;
    this.sum += value;
  }
}

/** A metric with all its samples. */
export interface Exposed {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  samples(): Iterable<Sample>;
}

export class NumberFamily implements Family<Counter & Gauge>, Exposed {
  readonly #children: ChildMap<NumberCell>;
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];

  constructor(type: 'counter' | 'gauge', name: string, help: string, labelNames: readonly string[]) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#children = new ChildMap(labelNames, () => new NumberCell());
    if (labelNames.length === 0) this.#children.with([]);
  }

  with(...values: readonly string[]): Counter & Gauge {
    return this.#children.with(values);
  }

  *samples(): Iterable<Sample> {
    for (const { labels, child } of this.#children.entries()) yield { name: this.name, labels, value: child.value };
  }
}

export class HistogramFamily implements Family<Histogram>, Exposed {
  readonly #children: ChildMap<HistogramCell>;
  readonly #bounds: readonly number[];
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly labelNames: readonly string[];

  constructor(name: string, help: string, labelNames: readonly string[], bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#bounds = bounds;
    this.#children = new ChildMap(labelNames, () => new HistogramCell(bounds));
    if (labelNames.length === 0) this.#children.with([]);
  }

  with(...values: readonly string[]): Histogram {
    return this.#children.with(values);
  }

  *samples(): Iterable<Sample> {
    for (const { labels, child } of this.#children.entries()) {
      const and = labels === '' ? '' : ',';
      let total = 0;
      for (let i = 0; i < child.counts.length; i++) {
        total += child.counts[i] ?? 0;
        const le = boundText(this.#bounds[i]);
        yield { name: `${this.name}_bucket`, labels: `${labels}${and}le="${le}"`, value: total };
      }
      yield { name: `${this.name}_sum`, labels, value: child.sum };
      yield { name: `${this.name}_count`, labels, value: total };
    }
  }
}

/** A gauge of one sample, always 1, whose labels say something. Absent until they are set. */
export class InfoMetric implements Exposed {
  readonly name: string;
  readonly help: string;
  readonly type = 'gauge';
  readonly labelNames: readonly string[];
  #labels: string | undefined;

  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** In the order of the declared names. */
  set(...values: readonly string[]): void {
    this.#labels = labelText(this.labelNames, values);
  }

  *samples(): Iterable<Sample> {
    if (this.#labels !== undefined) yield { name: this.name, labels: this.#labels, value: 1 };
  }
}

/** Prometheus text format 0.0.4. */
export function exposeText(families: Iterable<Exposed>): string {
  const lines: string[] = [];
  for (const family of families) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    for (const { name, labels, value } of family.samples()) lines.push(labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`);
  }
  return lines.join('\n') + '\n';
}
