/** Converts a composed document to source nodes: resolves scalars like Kubernetes' clients, aliases and merge keys. */
import { isAlias, isCollection, isMap, isScalar } from 'yaml';
import type { Alias, Document, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { resolvePlain, resolveTagged } from '../../apimachinery/yaml/plain-scalar.ts';
import { Anchors } from './anchors.ts';
import type { MergeBudget } from './anchors.ts';
import { MAX_DEPTH, SourceError, TOO_DEEP } from './source-error.ts';
import type { SourceEntry, SourceKey, SourceNode, SourceScalar } from './source-node.ts';

type ConfigNode = ParsedNode | null;

/** Undefined for an empty document. Throws SourceError. */
export function buildTree({ contents }: Document.Parsed, merges: MergeBudget): SourceNode | undefined {
  return contents === null ? undefined : new TreeBuilder(merges).build(contents, 0, contents.range[0]);
}

class TreeBuilder {
  readonly #anchors: Anchors;

  constructor(merges: MergeBudget) {
    this.#anchors = new Anchors(merges);
  }

  /** `at`: the position for a missing value. */
  build(node: ConfigNode, depth: number, at: number): SourceNode {
    if (node === null) return { type: 'null', text: 'null', start: at, end: at };
    if (isAlias(node)) {
      const [start, end] = node.range;
      return this.#anchors.resolveAlias(node.source, { start, end });
    }
    if (depth > MAX_DEPTH) throw new SourceError(TOO_DEEP, node.range[0]);
    const { anchor } = node;
    return anchor === undefined ? this.#buildNode(node, depth) : this.#anchors.define(anchor, () => this.#buildNode(node, depth));
  }

  #buildNode(node: Exclude<ParsedNode, Alias.Parsed>, depth: number): SourceNode {
    const [start] = node.range;
    if (isScalar(node)) return scalarOf(node);
    if (isMap(node)) return this.#map(node, depth);
    requireTag(node, 'tag:yaml.org,2002:seq');
    const elements = node.items.map((element) => this.build(element, depth + 1, start));
    return { type: 'list', elements, start, end: endOf(node, elements.at(-1)) };
  }

  #map(node: YAMLMap.Parsed, depth: number): SourceNode {
    requireTag(node, 'tag:yaml.org,2002:map');
    const [start] = node.range;
    const own: SourceEntry[] = [];
    const mergeValues: SourceNode[] = [];
    let last: SourceNode | undefined;
    for (const pair of node.items) {
      const [, keyEnd] = pair.key.range;
      last = this.build(pair.value, depth + 1, keyEnd);
      if (this.#isMerge(pair)) mergeValues.push(last);
      else own.push({ key: this.#key(pair.key), value: last });
    }
    return { type: 'map', entries: this.#anchors.mergeEntries(own, mergeValues), start, end: endOf(node, last) };
  }

  #isMerge({ key }: Pair<ParsedNode, ConfigNode>): boolean {
    return isScalar(key) && key.type === 'PLAIN' && key.tag === undefined && key.value === '<<';
  }

  #key(node: ParsedNode): SourceKey {
    const [start] = node.range;
    const key = isCollection(node) ? undefined : this.build(node, 0, start);
    if (key === undefined || key.type === 'map' || key.type === 'list' || key.type === 'null') {
      throw new SourceError('a key must be a string, a number or a boolean', start);
    }
    return key;
  }
}

/** For a block, the end of its last value: the library includes line ends and comments. */
const endOf = ({ flow, range }: YAMLMap.Parsed | YAMLSeq.Parsed, last: SourceNode | undefined): number =>
  flow === true || last === undefined ? range[1] : last.end;

function requireTag({ tag, range }: Exclude<ParsedNode, Alias.Parsed>, own: string): void {
  if (tag !== undefined && tag !== own && tag !== '!') throw new SourceError(`the tag ${tag} cannot be read`, range[0]);
}

function scalarOf(node: Scalar.Parsed): SourceScalar {
  const [start, end] = node.range;
  const text = typeof node.value === 'string' ? node.value : node.source;
  const quote = quoteOf(node);
  const span = { start, end, ...(quote === undefined ? {} : { quote }) };
  if (node.tag !== undefined) return { ...taggedScalar(text, node.tag, start), ...span };
  return node.type === 'PLAIN' ? { ...plainScalar(text), ...span } : { type: 'string', text, ...span };
}

/** Resolves like Kubernetes' clients. */
function plainScalar(text: string): Pick<SourceScalar, 'type' | 'text'> {
  const resolved = resolvePlain(text);
  if (resolved === undefined) return { type: 'string', text };
  return { type: resolved.type, text: resolved.type === 'not-a-number' ? text : resolved.json };
}

function taggedScalar(text: string, tag: string, start: number): Pick<SourceScalar, 'type' | 'text'> {
  const resolved = resolveTagged(text, tag);
  if (resolved === undefined) throw new SourceError(`the tag ${tag} cannot be read`, start);
  const value: unknown = JSON.parse(resolved.json);
  if (typeof value === 'string') return { type: 'string', text: value };
  return { type: value === null ? 'null' : typeof value === 'boolean' ? 'boolean' : 'number', text: resolved.json };
}

/** Only for a scalar that can be replaced in place. */
function quoteOf({ type, tag, anchor }: Scalar.Parsed): SourceScalar['quote'] {
  if (tag !== undefined || anchor !== undefined) return undefined;
  if (type === 'PLAIN') return '';
  if (type === 'QUOTE_SINGLE') return "'";
  return type === 'QUOTE_DOUBLE' ? '"' : undefined;
}
