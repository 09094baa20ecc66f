/** The anchors of a document. Nodes are shared, so the tree is no larger than its text, whatever its aliases. */
import { SourceError } from './source-error.ts';
import type { SourceEntry, SourceNode, Span } from './source-node.ts';

/** Limit for the entries that all merge keys of a text add. */
const MAX_MERGED = 20_000;

/** The remaining entries for all documents of a text. */
export class MergeBudget {
  #left = MAX_MERGED;

  /** `at`: offset of the merge key. Throws SourceError. */
  take(entries: number, at: number): void {
    this.#left -= entries;
    if (this.#left < 0) throw new SourceError(`merge keys add more than ${MAX_MERGED} entries`, at);
  }
}

export class Anchors {
  /** The last node of each name; undefined while it is being built. */
  readonly #nodes = new Map<string, SourceNode | undefined>();
  readonly #merges: MergeBudget;

  constructor(merges: MergeBudget) {
    this.#merges = merges;
  }

  /** Defines the anchor `name` for the node that `build` returns. */
  define<Node extends SourceNode>(name: string, build: () => Node): Node {
    this.#nodes.set(name, undefined);
    const node = build();
    this.#nodes.set(name, node);
    return node;
  }

  /** The node of the anchor, with the position of the alias. Throws SourceError. */
  resolveAlias(name: string, { start, end }: Span): SourceNode {
    const target = this.#nodes.get(name);
    if (target !== undefined) {
      const { quote: _quote, ...unquoted } = 'quote' in target ? target : { ...target, quote: undefined };
      return { ...unquoted, start, end };
    }
    const quoted = JSON.stringify(name);
    throw new SourceError(this.#nodes.has(name) ? `the anchor ${quoted} contains itself` : `there is no anchor ${quoted}`, start);
  }

  /** The entries of a map and of its merge keys. Throws SourceError. */
  mergeEntries(own: readonly SourceEntry[], mergeValues: readonly SourceNode[]): readonly SourceEntry[] {
    if (mergeValues.length === 0) return own;
    const taken = new Set(own.map(({ key }) => key.text));
    // Own entries win, then those merged first.
    const inherited = mergeValues.flatMap((from) => this.#entriesOf(from)).filter(({ key }) => !taken.has(key.text) && taken.add(key.text));
    return [...own, ...inherited];
  }

  #entriesOf(from: SourceNode): SourceEntry[] {
    const { start, end } = from;
    const maps = from.type === 'list' ? from.elements : [from];
    return maps.flatMap((map) => {
      if (map.type !== 'map') throw new SourceError('a merge key takes a map or a list of maps', map.start);
      this.#merges.take(map.entries.length, start);
      return map.entries.map(({ key, value }) => ({ key: { text: key.text, start, end }, value }));
    });
  }
}
