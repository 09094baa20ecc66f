/** Findings, grouped so that a mistake shows once however often it was met. */
import type { Difference } from './compare.ts';
import type { Explain, KnownDifference } from './known-differences.ts';
import type { PlannedRequest } from './requests/request.ts';
import type { Finding } from './run-case.ts';
import { toText, type Tree } from './tree.ts';

interface Group {
  readonly summary: string;
  /** `CronJob create` and how often. */
  readonly places: Map<string, number>;
  /** The request with the shortest body. */
  readonly example: { readonly finding: Finding; readonly difference: Difference; readonly size: number };
}

const MAX_TEXT = 1500;

export class Report {
  readonly #explain: Explain;
  readonly #seed: string;
  readonly #groups = new Map<string, Group>();
  readonly #explained = new Map<KnownDifference, number>();

  constructor(explain: Explain, seed: string) {
    this.#explain = explain;
    this.#seed = seed;
  }

  add(finding: Finding): void {
    for (const difference of finding.differences) {
      const kind = finding.target.name;
      const known = this.#explain(kind, finding.request.verb, difference.summary);
      if (known === undefined) this.#addUnexplained(finding, difference);
      else this.#explained.set(known, (this.#explained.get(known) ?? 0) + 1);
    }
  }

  #addUnexplained(finding: Finding, difference: Difference): void {
    const { summary } = difference;
    const { verb, body } = finding.request;
    const size = body === undefined ? 0 : toText(body.tree).length;
    const known = this.#groups.get(summary);
    const places = known?.places ?? new Map<string, number>();
    const place = `${finding.target.name} ${verb}`;
    places.set(place, (places.get(place) ?? 0) + 1);
    const example = known === undefined || size < known.example.size ? { finding, difference, size } : known.example;
    this.#groups.set(summary, { summary, places, example });
  }

  get unexplained(): number {
    return this.#groups.size;
  }

  get explained(): number {
    return [...this.#explained.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The most frequent first. */
  lines(): readonly string[] {
    const count = ({ places }: Group) => [...places.values()].reduce((sum, each) => sum + each, 0);
    const groups = [...this.#groups.values()].sort((a, b) => count(b) - count(a));
    const explained = [...this.#explained].map(([{ documented }, times]) => `${times} × known: ${documented}`);
    return [...groups.flatMap((group) => this.#describe(group, count(group))), ...explained];
  }

  #describe({ summary, places, example: { finding, difference } }: Group, count: number): readonly string[] {
    const { request, number, target } = finding;
    return [
      `${count} × ${summary}`,
      `    ${[...places].map(([place, times]) => `${place} ${times}`).join(', ')}`,
      `    SEED=${this.#seed} KINDS='${target.name}' CASE=${number}`,
      `    ${requestText(request)}`,
      `    Kubernetes: ${finding.reference.code} ${shown(difference.reference)}`,
      `    here:       ${finding.own.code} ${shown(difference.own)}`,
    ];
  }
}

export function requestText({ method, path, query, headers, body }: PlannedRequest): string {
  const parameters = query.map(([name, value]) => `${name}=${value}`).join('&');
  const head = `${method} ${path}${parameters === '' ? '' : `?${parameters}`} ${JSON.stringify(headers)}`;
  return body === undefined ? head : `${head} ${body.encoding}: ${cut(toText(body.tree))}`;
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text);
const shown = (tree: Tree | undefined): string => (tree === undefined ? '(absent)' : cut(toText(tree)));
