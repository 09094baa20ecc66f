/** A composed document into source nodes: scalars resolved as Kubernetes' clients resolve them, anchors and merge keys followed. */
import { isAlias, isMap, isScalar, Scalar } from 'yaml';
import type { Alias, Document, Pair, ParsedNode, YAMLMap } from 'yaml';
import { resolvePlain, resolveTagged } from '../../apimachinery/yaml/plain-scalar.ts';
import { MAX_DEPTH, SourceError, TOO_DEEP } from './compose.ts';
import type { SourceEntry, SourceKey, SourceNode, SourceScalar } from './source-node.ts';

/** Entries that merge keys may add to a document, together. */
const MAX_MERGED = 20_000;

type Node = ParsedNode | null;

/** Undefined for a document that holds nothing. Throws SourceError. */
export function buildTree({ contents }: Document.Parsed): SourceNode | undefined {
  return contents === null ? undefined : new TreeBuilder().build(contents, 0, contents.range[0]);
}

class TreeBuilder {
  /** The last node of each name so far; undefined while it is being built. An alias is that node: nothing is built twice. */
  readonly #anchors = new Map<string, SourceNode | undefined>();
  #merged = 0;

  /** `at`: where the value of a key would stand that has none. */
  build(node: Node, depth: number, at: number): SourceNode {
    if (node === null) return { type: 'null', text: 'null', start: at, end: at };
    if (isAlias(node)) return this.#follow(node);
    if (depth > MAX_DEPTH) throw new SourceError(TOO_DEEP, node.range[0]);
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const built = this.#own(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, built);
    return built;
  }

  #own(node: Exclude<ParsedNode, Alias.Parsed>, depth: number): SourceNode {
    const [start, end] = node.range;
    if (isScalar(node)) return scalarOf(node);
    if (isMap(node)) {
      requireTag(node, 'tag:yaml.org,2002:map');
      return { type: 'map', entries: this.#entries(node, depth), start, end };
    }
    requireTag(node, 'tag:yaml.org,2002:seq');
    return { type: 'list', elements: node.items.map((element) => this.build(element, depth + 1, start)), start, end };
  }

  #follow(alias: Alias.Parsed): SourceNode {
    const [start, end] = alias.range;
    const target = this.#anchors.get(alias.source);
    if (target !== undefined) {
      const { quote: _quote, ...unquoted } = 'quote' in target ? target : { ...target, quote: undefined };
      return { ...unquoted, start, end };
    }
    const name = JSON.stringify(alias.source);
    throw new SourceError(this.#anchors.has(alias.source) ? `the anchor ${name} contains itself` : `there is no anchor ${name}`, start);
  }

  #entries(node: YAMLMap.Parsed, depth: number): SourceEntry[] {
    const own: SourceEntry[] = [];
    const merged: SourceEntry[] = [];
    for (const pair of node.items) {
      const [, keyEnd] = pair.key.range;
      const value = this.build(pair.value, depth + 1, keyEnd);
      if (isMerge(pair)) this.#merge(value, merged);
      else own.push({ key: this.#key(pair.key), value });
    }
    if (merged.length === 0) return own;
    const taken = new Set(own.map(({ key }) => key.text));
    // What stands in the map itself wins, then what was merged first.
    const inherited = merged.filter(({ key }) => !taken.has(key.text) && taken.add(key.text));
    return [...own, ...inherited];
  }

  #merge(from: SourceNode, into: SourceEntry[]): void {
    const maps = from.type === 'list' ? from.elements : [from];
    for (const map of maps) {
      if (map.type !== 'map') throw new SourceError('a merge key takes a map or a list of maps', map.start);
      this.#merged += map.entries.length;
      if (this.#merged > MAX_MERGED) throw new SourceError(`merge keys add more than ${MAX_MERGED} entries`, from.start);
      for (const { key, value } of map.entries) into.push({ key: { text: key.text, start: from.start, end: from.end }, value });
    }
  }

  #key(node: ParsedNode): SourceKey {
    const [start] = node.range;
    const key = this.build(node, MAX_DEPTH, start);
    if (key.type === 'map' || key.type === 'list' || key.type === 'null') {
      throw new SourceError('a key must be a string, a number or a boolean', start);
    }
    return key;
  }
}

const isMerge = ({ key }: Pair<ParsedNode, Node>): boolean =>
  isScalar(key) && key.type === Scalar.PLAIN && key.tag === undefined && key.value === '<<';

function requireTag({ tag, range }: Exclude<ParsedNode, Alias.Parsed>, own: string): void {
  if (tag !== undefined && tag !== own && tag !== '!') throw new SourceError(`the tag ${tag} cannot be read`, range[0]);
}

function scalarOf(node: Scalar.Parsed): SourceScalar {
  const [start, end] = node.range;
  const text = typeof node.value === 'string' ? node.value : node.source;
  const quote = quoteOf(node);
  const span = { start, end, ...(quote === undefined ? {} : { quote }) };
  if (node.tag !== undefined) return { ...taggedScalar(text, node.tag, start), ...span };
  const resolved = node.type === Scalar.PLAIN ? resolvePlain(text) : undefined;
  if (resolved === undefined) return { type: 'string', text, ...span };
  return { type: resolved.type, text: resolved.type === 'not-a-number' ? text : resolved.json, ...span };
}

function taggedScalar(text: string, tag: string, start: number): Pick<SourceScalar, 'type' | 'text'> {
  const resolved = resolveTagged(text, tag);
  if (resolved === undefined) throw new SourceError(`the tag ${tag} cannot be read`, start);
  const value: unknown = JSON.parse(resolved.json);
  if (typeof value === 'string') return { type: 'string', text: value };
  return { type: value === null ? 'null' : typeof value === 'boolean' ? 'boolean' : 'number', text: resolved.json };
}

/** Only of a scalar whose text stands there as it is. */
function quoteOf({ type, tag, anchor }: Scalar.Parsed): SourceScalar['quote'] {
  if (tag !== undefined || anchor !== undefined) return undefined;
  if (type === Scalar.PLAIN) return '';
  if (type === Scalar.QUOTE_SINGLE) return "'";
  return type === Scalar.QUOTE_DOUBLE ? '"' : undefined;
}
