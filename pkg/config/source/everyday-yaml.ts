/**
 * The YAML that configuration files are written in: block maps and lists, values on one line, lists and maps in brackets, anchors and
 * aliases, JSON. One pass over the characters, five times as fast as the `yaml` library. Whatever else YAML has (tags, block scalars, values over
 * several lines), and whatever might be a mistake, is left to the library: what this reads, the library reads as the same, unless it finds it too long.
 */
import { Anchors, MergeBudget } from './anchors.ts';
import { plainScalar, quotedScalar } from './scan-scalar.ts';
import { MAX_DEPTH, MAX_DOCUMENTS, SourceError } from './source-error.ts';
import type { SourceDocument, SourceEntry, SourceList, SourceMap, SourceNode, SourceScalar } from './source-node.ts';
import {
  AMPERSAND,
  ASTERISK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  DASH,
  HASH,
  isBlank,
  isFlowIndicator,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  SPACE,
  TAB,
} from './characters.ts';

/** Not of everyday: the library has to look. */
class Unusual extends Error {}

/** Where a document ends. */
const NOWHERE = -1;

/** Ten for each of 10,000 lines. The library counts tokens, of which a value has two at least, and says that there are too many. Blanks and comments are none here. */
const MAX_VALUES = 100_000;

/** With the blanks before its colon; YAML allows 1024. */
const MAX_KEY = 1000;
const MAX_NAME = 64;

/** Documents that hold something. Undefined: the text has something that is not of everyday, and may be wrong or right. */
export function readEverydayYaml(text: string): SourceDocument[] | undefined {
  try {
    return new EverydayReader(text).documents();
  } catch (error) {
    if (error instanceof Unusual || error instanceof SourceError) return undefined;
    throw error;
  }
}

class EverydayReader {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  #values = 0;
  readonly #merges = new MergeBudget();
  #anchors = new Anchors(this.#merges);

  constructor(text: string) {
    this.#text = text;
  }

  documents(): SourceDocument[] {
    const text = this.#text;
    const documents: SourceDocument[] = [];
    for (let number = 1; ; number++) {
      if (number > MAX_DOCUMENTS) throw new Unusual();
      let column = this.#next();
      if (column === NOWHERE && text.startsWith('---', this.#at)) {
        this.#at += 3;
        const line = this.#lineStart;
        column = this.#next();
        if (column !== NOWHERE && this.#lineStart === line) throw new Unusual();
      }
      if (column !== NOWHERE) {
        this.#anchors = new Anchors(this.#merges);
        const root = this.#node(column, NOWHERE, 0);
        if (root.type !== 'map' && root.type !== 'list') throw new Unusual();
        if (this.#next() !== NOWHERE) throw new Unusual();
        documents.push({ number, root });
      }
      if (this.#at >= text.length) return documents;
      if (!text.startsWith('---', this.#at)) throw new Unusual();
    }
  }

  /** To the next thing that is no blank and no comment. Its column; `NOWHERE` where the document ends. */
  #next(): number {
    const text = this.#text;
    for (let at = this.#at; ;) {
      const code = text.charCodeAt(at);
      if (code === SPACE) at++;
      else if (code === LF) this.#lineStart = ++at;
      else if (code === CR && text.charCodeAt(at + 1) === LF) at++;
      else if (code === HASH && (at === this.#lineStart || isBlank(text.charCodeAt(at - 1)))) at = endOfLine(text, at);
      else {
        this.#at = at;
        return at >= text.length || (at === this.#lineStart && isMarker(text, at)) ? NOWHERE : at - this.#lineStart;
      }
    }
  }

  /** The same within brackets that stand in something of this column. Throws where the line begins too far left. */
  #nextInFlow(parent: number): void {
    const text = this.#text;
    for (;;) {
      const line = this.#lineStart;
      if (this.#next() === NOWHERE) throw new Unusual();
      // JSON may be indented with tabs, where nothing hangs on the column.
      if (text.charCodeAt(this.#at) === TAB && parent === NOWHERE) {
        this.#at++;
        continue;
      }
      if (this.#lineStart !== line && this.#at - this.#lineStart <= parent) throw new Unusual();
      return;
    }
  }

  /** At a value that has its first line to itself, but for dashes. `parent`: the column of what it is in. */
  #node(column: number, parent: number, depth: number): SourceNode {
    if (depth > MAX_DEPTH) throw new Unusual();
    if (this.#isDash()) return this.#list(column, depth);
    const value = this.#lineValue(parent, depth);
    return this.#isColon() && value.type !== 'map' && value.type !== 'list' ? this.#map(column, depth, value) : value;
  }

  /** A scalar, an alias, or something in brackets. */
  #lineValue(parent: number, depth: number): SourceNode {
    const code = this.#text.charCodeAt(this.#at);
    if (code === ASTERISK) return this.#alias(false);
    return code === OPEN_BRACKET || code === OPEN_BRACE ? this.#flow(parent, depth) : this.#scalar(false);
  }

  #list(column: number, depth: number): SourceList {
    const start = this.#at;
    const elements: SourceNode[] = [];
    let end = start;
    do {
      this.#at++;
      const element = this.#nested(column, depth, true);
      elements.push(element);
      end = element.end;
    } while (this.#isNextAt(column) && this.#isDash());
    return { type: 'list', elements, start, end };
  }

  /** Behind the first key. */
  #map(column: number, depth: number, first: SourceScalar): SourceMap {
    const entries: SourceEntry[] = [];
    const mergeValues: SourceNode[] = [];
    for (let key = first; ; key = this.#scalar(false)) {
      if (!this.#isColon()) throw new Unusual();
      this.#requireKey(key);
      this.#at++;
      const value = this.#nested(column, depth, false);
      if (isMerge(key)) mergeValues.push(value);
      else entries.push({ key, value });
      if (this.#isNextAt(column)) continue;
      return { type: 'map', entries: this.#anchors.withMerged(entries, mergeValues), start: first.start, end: value.end };
    }
  }

  /** Whether what follows a value belongs to this collection; it may belong to one around it, and not to the value. */
  #isNextAt(column: number): boolean {
    const next = this.#next();
    if (next > column) throw new Unusual();
    return next === column;
  }

  /** Behind the dash or colon of a collection at `column`: what stands on the line or below, maybe with an anchor. */
  #nested(column: number, depth: number, isInList: boolean): SourceNode {
    if (++this.#values > MAX_VALUES) throw new Unusual();
    this.#skipSpaces();
    const at = this.#at;
    if (this.#text.charCodeAt(at) === AMPERSAND) return this.#anchored(() => this.#content(column, depth, isInList, true));
    return this.#content(column, depth, isInList, false) ?? { type: 'null', text: 'null', start: at, end: at, quote: '' };
  }

  /** Undefined where there is none. */
  #content(column: number, depth: number, isInList: boolean, isAnchored: boolean): SourceNode | undefined {
    const line = this.#lineStart;
    const next = this.#next();
    if (next !== NOWHERE && this.#lineStart === line) {
      // An anchor before a key is the key's.
      if (isInList && !isAnchored) return this.#node(next, column, depth + 1);
      const value = this.#lineValue(column, depth + 1);
      if (this.#isColon()) throw new Unusual();
      return value;
    }
    if (next > column || (next === column && !isInList && this.#isDash())) return this.#node(next, column, depth + 1);
    return undefined;
  }

  #anchored(build: () => SourceNode | undefined): SourceNode {
    const name = this.#name(false);
    return this.#anchors.named(name, () => {
      this.#skipSpaces();
      const code = this.#text.charCodeAt(this.#at);
      const node = code === AMPERSAND || code === ASTERISK ? undefined : build();
      if (node === undefined) throw new Unusual();
      return unquoted(node);
    });
  }

  #alias(isInFlow: boolean): SourceNode {
    const start = this.#at;
    return this.#anchors.follow(this.#name(isInFlow), { start, end: this.#at });
  }

  /** Of an anchor or alias, behind its sign. */
  #name(isInFlow: boolean): string {
    const text = this.#text;
    const [name = ''] = /^[\w-]*/.exec(text.slice(this.#at + 1, this.#at + MAX_NAME)) ?? [];
    this.#at += name.length + 1;
    const follower = text.charCodeAt(this.#at);
    if (name === '' || !(isBlank(follower) || (isInFlow && isFlowIndicator(follower)))) throw new Unusual();
    return name;
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
  }

  #isDash(): boolean {
    return this.#text.charCodeAt(this.#at) === DASH && isBlank(this.#text.charCodeAt(this.#at + 1));
  }

  /** Moves to the colon behind a key, if there is one on this line. */
  #isColon(): boolean {
    const text = this.#text;
    let at = this.#at;
    while (text.charCodeAt(at) === SPACE) at++;
    if (text.charCodeAt(at) !== COLON || !isBlank(text.charCodeAt(at + 1))) return false;
    this.#at = at;
    return true;
  }

  #scalar(isInFlow: boolean): SourceScalar {
    const scalar = quotedScalar(this.#text, this.#at) ?? plainScalar(this.#text, this.#at, isInFlow);
    if (scalar === undefined) throw new Unusual();
    this.#at = scalar.end;
    return scalar;
  }

  /** At the colon. Keys that say nothing, or have a name, are looked at by the library. */
  #requireKey({ type, quote, start }: SourceScalar): void {
    if (type === 'null' || quote === undefined || this.#at - start > MAX_KEY) throw new Unusual();
  }

  #flow(parent: number, depth: number): SourceNode {
    if (depth >= MAX_DEPTH || ++this.#values > MAX_VALUES) throw new Unusual();
    switch (this.#text.charCodeAt(this.#at)) {
      case OPEN_BRACKET:
        return this.#flowList(parent, depth);
      case OPEN_BRACE:
        return this.#flowMap(parent, depth);
      case AMPERSAND:
        return this.#anchored(() => this.#flow(parent, depth));
      case ASTERISK:
        return this.#alias(true);
      default:
        return this.#scalar(true);
    }
  }

  #flowList(parent: number, depth: number): SourceList {
    const start = this.#at;
    const elements: SourceNode[] = [];
    while (this.#isBeforeNext(parent, CLOSE_BRACKET, elements.length === 0)) elements.push(this.#flow(parent, depth + 1));
    return { type: 'list', elements, start, end: this.#at };
  }

  #flowMap(parent: number, depth: number): SourceMap {
    const start = this.#at;
    const entries: SourceEntry[] = [];
    const mergeValues: SourceNode[] = [];
    for (let isFirst = true; this.#isBeforeNext(parent, CLOSE_BRACE, isFirst); isFirst = false) {
      const key = this.#scalar(true);
      this.#skipSpaces();
      this.#requireKey(key);
      const text = this.#text;
      if (text.charCodeAt(this.#at) !== COLON || (key.quote === '' && !isBlank(text.charCodeAt(this.#at + 1)))) throw new Unusual();
      this.#at++;
      this.#nextInFlow(parent);
      const value = this.#flow(parent, depth + 1);
      if (isMerge(key)) mergeValues.push(value);
      else entries.push({ key, value });
    }
    return { type: 'map', entries: this.#anchors.withMerged(entries, mergeValues), start, end: this.#at };
  }

  /** From the opening bracket or the end of an element to the next one, which must be there; false behind the closing bracket. A last comma may be one too many. */
  #isBeforeNext(parent: number, closing: number, isFirst: boolean): boolean {
    const text = this.#text;
    if (isFirst) this.#at++;
    this.#nextInFlow(parent);
    if (!isFirst && text.charCodeAt(this.#at) === COMMA) {
      this.#at++;
      this.#nextInFlow(parent);
    } else if (!isFirst && text.charCodeAt(this.#at) !== closing) {
      throw new Unusual();
    }
    if (text.charCodeAt(this.#at) !== closing) return true;
    this.#at++;
    return false;
  }
}

const isMerge = ({ text, quote }: SourceScalar): boolean => text === '<<' && quote === '';

/** An anchored scalar is not simply spelled out. */
function unquoted(node: SourceNode): SourceNode {
  if (!('quote' in node)) return node;
  const { quote: _quote, ...rest } = node;
  return rest;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const isMarker = (text: string, at: number): boolean =>
  (text.startsWith('---', at) || text.startsWith('...', at)) && isBlank(text.charCodeAt(at + 3));
