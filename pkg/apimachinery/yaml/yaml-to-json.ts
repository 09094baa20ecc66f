/**
 * Converts YAML request bodies to JSON text like sigs.k8s.io/yaml: only the first document counts, keys become strings,
 * anchors and merge keys are resolved. Numbers keep their digits and duplicate keys are kept, so that the JSON reader
 * sees what was sent.
 *
 * Not for the main thread: it can be slow for the size of the text (18 µs for each of three million commas).
 */
import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, Parser, Scalar } from 'yaml';
import type { Alias, Document, Pair, ParsedNode, YAMLMap } from 'yaml';
import { MAX_JSON_DEPTH } from '../json/json-cursor.ts';
import { resolvePlain, resolveTagged } from './plain-scalar.ts';

/** The message contains the line. */
export class YamlError extends Error {}

/** Far above the JSON of a 3 MiB body without aliases, far below what aliases can expand to. */
const MAX_JSON_CHARACTERS = 10 * 1024 * 1024;
const MAX_STEPS = 2_000_000;
const TOO_DEEP = `nested deeper than ${MAX_JSON_DEPTH} levels`;

/** Returns compact, valid JSON. Throws YamlError. */
export function yamlToJson(text: string): string {
  const lines = new LineCounter();
  const document = firstDocument(text, lines);
  if (document === undefined) return 'null';
  const [error] = document.errors;
  if (error !== undefined) throw new YamlError(`${at(lines, error.pos[0])}: ${isStackOverflow(error) ? TOO_DEEP : error.message}`);
  return new JsonWriter(lines).write(document);
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false });
  try {
    for (const document of composer.compose(new Parser(lines.addNewLine).parse(text))) return document;
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(TOO_DEEP);
    throw error;
  }
  return undefined;
}

/** The library is recursive and reports a stack overflow as an error of the text. */
const isStackOverflow = ({ message }: Error) => message.startsWith('Maximum call stack');

function at(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}`;
}

type LibraryNode = ParsedNode | null;
type Anchored = Exclude<ParsedNode, Alias.Parsed>;

class JsonWriter {
  readonly #lines: LineCounter;
  readonly #parts: string[] = [];
  #characters = 0;
  #steps = 0;
  /** The last node with each anchor so far. */
  readonly #anchors = new Map<string, Exclude<LibraryNode, null>>();
  /** Targets of the aliases being followed, to detect cycles. */
  readonly #following = new Set<LibraryNode>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  write(document: Document.Parsed): string {
    this.#value(document.contents, 0);
    return this.#parts.join('');
  }

  #put(json: string): void {
    this.#characters += json.length;
    if (this.#characters > MAX_JSON_CHARACTERS) throw new YamlError('the document contains excessive aliasing');
    this.#parts.push(json);
  }

  #value(node: LibraryNode, depth: number): void {
    if (++this.#steps > MAX_STEPS) throw new YamlError('the document contains excessive aliasing');
    if (node === null) {
      this.#put('null');
    } else if (isAlias(node)) {
      this.#follow(node, (target) => this.#value(target, depth));
    } else {
      this.#remember(node);
      if (isScalar(node)) this.#put(this.#scalar(node));
      else if (depth >= MAX_JSON_DEPTH) throw this.#error(node, TOO_DEEP);
      else if (isMap(node)) this.#map(node, depth + 1);
      else this.#list(node.items, depth + 1, node);
    }
  }

  #remember(node: Anchored): void {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  #follow(node: Exclude<LibraryNode, null>, then: (target: LibraryNode) => void): void {
    const name = isAlias(node) ? node.source : '';
    const target = this.#anchors.get(name);
    if (target === undefined) throw this.#error(node, `unknown anchor ${JSON.stringify(name)}`);
    if (this.#following.has(target)) throw this.#error(node, `the anchor ${JSON.stringify(name)} contains itself`);
    this.#following.add(target);
    then(target);
    this.#following.delete(target);
  }

  #list(items: readonly LibraryNode[], depth: number, node: Exclude<LibraryNode, null>): void {
    this.#requireTag(node, 'tag:yaml.org,2002:seq');
    this.#put('[');
    items.forEach((element, index) => {
      if (index > 0) this.#put(',');
      this.#value(element, depth);
    });
    this.#put(']');
  }

  #map(node: YAMLMap.Parsed, depth: number): void {
    this.#requireTag(node, 'tag:yaml.org,2002:map');
    this.#put('{');
    this.#members(
      node,
      depth,
      node.items.some(isMerge) ? new Set(node.items.filter((pair) => !isMerge(pair)).map(({ key }) => this.#key(key))) : undefined,
    );
    this.#put('}');
  }

  /** `taken`: names that a merged map must not set, because the map itself or an earlier merged map has them. */
  #members(node: YAMLMap.Parsed, depth: number, taken: Set<string> | undefined): void {
    let first = this.#parts.at(-1) === '{';
    for (const pair of node.items) {
      if (isMerge(pair)) {
        this.#merge(pair.value, depth, taken ?? new Set());
        first = this.#parts.at(-1) === '{';
        continue;
      }
      this.#member(pair, depth, first);
      first = false;
    }
  }

  #member({ key, value }: Pair<ParsedNode, LibraryNode>, depth: number, first: boolean): void {
    this.#put(`${first ? '' : ','}${JSON.stringify(this.#key(key))}:`);
    this.#value(value, depth);
  }

  /** Merges a map, an alias or a list of them; the first value of a name wins. */
  #merge(from: LibraryNode, depth: number, taken: Set<string>): void {
    if (++this.#steps > MAX_STEPS) throw new YamlError('the document contains excessive aliasing');
    if (from !== null && isAlias(from)) {
      this.#follow(from, (target) => this.#merge(target, depth, taken));
    } else if (isSeq(from)) {
      for (const element of from.items) this.#merge(element, depth, taken);
    } else if (isMap(from)) {
      this.#remember(from);
      if (depth >= MAX_JSON_DEPTH) throw this.#error(from, TOO_DEEP);
      for (const pair of from.items) {
        if (isMerge(pair)) continue;
        const name = this.#key(pair.key);
        if (taken.has(name)) continue;
        taken.add(name);
        this.#member(pair, depth, this.#parts.at(-1) === '{');
      }
      for (const pair of from.items) if (isMerge(pair)) this.#merge(pair.value, depth + 1, taken);
    } else {
      throw this.#error(from, 'a merge key takes a map or a list of maps');
    }
  }

  #scalar(node: Scalar.Parsed): string {
    const text = textOf(node);
    const { tag } = node;
    if (tag !== undefined) {
      const resolved = resolveTagged(text, tag);
      if (resolved === undefined) throw this.#error(node, `the tag ${tag} cannot be read`);
      return resolved.json;
    }
    const resolved = node.type === Scalar.PLAIN ? resolvePlain(text) : undefined;
    if (resolved?.type === 'not-a-number') throw this.#error(node, `${text} has no form in JSON`);
    return resolved === undefined ? JSON.stringify(text) : resolved.json;
  }

  /** A key as a string: numbers and booleans become their JSON text, times and other words are strings anyway. */
  #key(node: LibraryNode): string {
    if (++this.#steps > MAX_STEPS) throw new YamlError('the document contains excessive aliasing');
    if (node !== null && isAlias(node)) {
      let text = '';
      this.#follow(node, (target) => (text = this.#key(target)));
      return text;
    }
    if (!isScalar(node)) throw this.#error(node, 'a key must be a string, a number or a boolean');
    this.#remember(node);
    const text = textOf(node);
    const resolved = node.tag === undefined && node.type === Scalar.PLAIN ? resolvePlain(text) : undefined;
    if (resolved?.type === 'null') throw this.#error(node, 'a key must be a string, a number or a boolean');
    return resolved === undefined || resolved.type === 'not-a-number' ? text : resolved.json;
  }

  #requireTag(node: Exclude<LibraryNode, null>, own: string): void {
    if (node.tag !== undefined && node.tag !== own && node.tag !== '!') throw this.#error(node, `the tag ${node.tag} cannot be read`);
  }

  #error(node: LibraryNode, message: string): YamlError {
    return new YamlError(node === null ? message : `${at(this.#lines, node.range[0])}: ${message}`);
  }
}

const isMerge = ({ key }: Pair<ParsedNode, LibraryNode>): boolean =>
  isScalar(key) && key.type === Scalar.PLAIN && key.tag === undefined && key.value === '<<';

const textOf = ({ value, source }: Scalar.Parsed): string => (typeof value === 'string' ? value : source);
