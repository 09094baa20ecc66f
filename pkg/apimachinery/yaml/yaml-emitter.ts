/**
 * Writes YAML in the layout of Kubernetes' servers: lists in the column of their key, multi-line text in literal
 * blocks, no folded lines. Output is incremental, so that a large value does not block the event loop.
 */
import { literalHeader, quoteScalar } from './quote-scalar.ts';
import { ListNode, MapNode, YamlToken } from './yaml-tree.ts';
import type { YamlNode } from './yaml-tree.ts';

/** A partly written container. */
interface Frame {
  readonly node: MapNode | ListNode;
  readonly indent: number;
  at: number;
  /** The current line already has a `- `. */
  begun: boolean;
}

/** Readers need not support longer simple keys (YAML 1.2 section 7.4). */
const MAX_SIMPLE_KEY = 1000;
const MAX_CACHED_KEYS = 500;

export class YamlEmitter {
  readonly #frames: Frame[] = [];
  /** Cached quoted keys, because the elements of a list share their keys. */
  readonly #keys = new Map<string, string>();
  #text = '';

  /** Adds a document. */
  root(node: YamlNode): void {
    if (isEmpty(node) || typeof node === 'string' || node instanceof YamlToken) this.#text += `${scalar(node, 0)}\n`;
    else this.#enter(node, 0, false);
  }

  /** Adds members of the top-level map. Everything added before must be written. */
  members(node: MapNode): void {
    this.#enter(node, 0, false);
  }

  /** Adds the key of a top-level list; its elements follow. */
  beginList(name: string): void {
    this.#text += `${quoteScalar(name)}:\n`;
  }

  /** Adds an element of the top-level list. */
  element(node: YamlNode): void {
    this.#enter(new ListNode([node]), 0, false);
  }

  /** Writes until there are `enough` characters. True if everything is written. */
  run(enough: number): boolean {
    while (this.#text.length < enough) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return true;
      if (frame.node instanceof MapNode) this.#nextMember(frame, frame.node);
      else this.#nextElement(frame, frame.node);
    }
    return this.#frames.length === 0;
  }

  /** Number of characters that `take` would return. */
  get length(): number {
    return this.#text.length;
  }

  /** Returns and clears the written text. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #enter(node: MapNode | ListNode, indent: number, begun: boolean): void {
    this.#frames.push({ node, indent, at: 0, begun });
  }

  #beginLine(frame: Frame): void {
    if (frame.begun) frame.begun = false;
    else this.#text += ' '.repeat(frame.indent);
  }

  #nextMember(frame: Frame, { members }: MapNode): void {
    const member = members[frame.at++];
    if (member === undefined) {
      this.#frames.pop();
      return;
    }
    const { name, value } = member;
    this.#beginLine(frame);
    const key = this.#key(name);
    this.#text += key.length <= MAX_SIMPLE_KEY ? `${key}:` : `? ${key}\n${' '.repeat(frame.indent)}:`;
    if (isScalarLike(value)) {
      this.#text += ` ${scalar(value, frame.indent + 2)}\n`;
    } else {
      this.#text += '\n';
      this.#enter(value, value instanceof MapNode ? frame.indent + 2 : frame.indent, false);
    }
  }

  #key(name: string): string {
    let key = this.#keys.get(name);
    if (key !== undefined) return key;
    key = quoteScalar(name);
    if (this.#keys.size < MAX_CACHED_KEYS) this.#keys.set(name, key);
    return key;
  }

  #nextElement(frame: Frame, { elements }: ListNode): void {
    const element = elements[frame.at++];
    if (element === undefined) {
      this.#frames.pop();
      return;
    }
    this.#beginLine(frame);
    if (isScalarLike(element)) {
      this.#text += `- ${scalar(element, frame.indent + 2)}\n`;
    } else {
      this.#text += '- ';
      this.#enter(element, frame.indent + 2, true);
    }
  }
}

const isEmpty = (node: YamlNode): boolean =>
  (node instanceof MapNode && node.members.length === 0) || (node instanceof ListNode && node.elements.length === 0);

/** Written on the same line as its key or dash. */
const isScalarLike = (node: YamlNode): node is string | YamlToken => typeof node === 'string' || node instanceof YamlToken || isEmpty(node);

/** Without the final newline. `indent`: indentation of a literal block. */
function scalar(node: YamlNode, indent: number): string {
  if (node instanceof YamlToken) return node.text;
  if (node instanceof MapNode) return '{}';
  if (node instanceof ListNode) return '[]';
  const header = literalHeader(node);
  if (header === undefined) return quoteScalar(node);
  const body = header === '|-' ? node : node.slice(0, -1);
  const margin = ' '.repeat(Math.max(indent, 2));
  return `${header}\n${body.replace(/^(?=[^\n])/gm, margin)}`;
}
