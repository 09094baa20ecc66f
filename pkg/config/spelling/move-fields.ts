/**
 * Fields of older files whose place is another one now, moved line by line: with the comment behind them and the ones right above them, and nothing else
 * of the file is touched. What is not on a line of its own, as in JSON, stays and is named.
 */
import type { ConfigShape } from '../kinds/config-kind.ts';
import { fieldNamed, shapeNamed } from '../read/field-names.ts';
import type { SourceEntry, SourceMap, SourceNode } from '../source/source-node.ts';
import type { Edit } from './edit.ts';

export interface NotMoved {
  readonly path: string;
  readonly offset: number;
  readonly message: string;
}

export interface MovedFields {
  readonly edits: readonly Edit[];
  readonly left: readonly NotMoved[];
  /** What would be left if nothing were moved. */
  readonly all: readonly NotMoved[];
}

/** `root`: a document of the kind. */
export function moveFields(text: string, root: SourceNode, shape: ConfigShape): MovedFields {
  const edits: Edit[] = [];
  const left: NotMoved[] = [];
  const all: NotMoved[] = [];
  if (root.type !== 'map') return { edits, left, all };
  for (const { entry, path, to } of movedEntries(root, shape, '')) {
    const stays = { path, offset: entry.key.start, message: `is ${to} now, and cannot be moved there as it stands here` };
    all.push(stays);
    const target = targetOf(root, shape, to.split('.'));
    if (target === 'taken') {
      left.push({ ...stays, message: `is ${to} now, which is set too and counts; take this one out` });
      continue;
    }
    const own = ownLines(text, entry);
    const into = own === undefined ? undefined : placeIn(text, root, target, own.end);
    if (own === undefined || into === undefined) {
      left.push(stays);
      continue;
    }
    const lines = own.lines.map((line) => `${into.indent}${line}\n`).join('');
    edits.push({ start: own.start, end: own.end, text: '' }, { start: into.at, end: into.at, text: into.head + lines });
  }
  return { edits, left, all };
}

interface MovedEntry {
  readonly entry: SourceEntry;
  readonly path: string;
  readonly to: string;
}

function* movedEntries(map: SourceMap, shape: ConfigShape, within: string): Generator<MovedEntry> {
  for (const entry of map.entries) {
    const field = fieldNamed(shape, entry.key.text)?.field;
    // Without a value it says nothing.
    if (field === undefined || entry.value.type === 'null') continue;
    const path = `${within}${field.name}`;
    if (field.movedTo !== undefined) yield { entry, path, to: field.movedTo };
    else if (field.type === 'object' && entry.value.type === 'map') yield* movedEntries(entry.value, shapeNamed(field.shape), `${path}.`);
  }
}

/** The object that takes the field: as it stands, or by the name that it would have in the document. */
type Target = { readonly holder: SourceEntry } | { readonly missing: string };

/** Fields move to an object of the document itself. */
function targetOf(root: SourceMap, shape: ConfigShape, [holderName = '', name = '']: readonly string[]): Target | 'taken' {
  const holder = root.entries.find(({ key }) => fieldNamed(shape, key.text)?.field.name === holderName);
  if (holder === undefined) return { missing: holderName };
  const { value } = holder;
  const isTaken = value.type === 'map' && value.entries.some((entry) => entry.key.text === name && entry.value.type !== 'null');
  return isTaken ? 'taken' : { holder };
}

interface OwnLines {
  readonly start: number;
  /** Behind the line break. */
  readonly end: number;
  /** Without what they are indented by, and without their breaks. */
  readonly lines: readonly string[];
}

/** Undefined when something else is on the line, or the value goes on in the next one. */
function ownLines(text: string, { key, value }: SourceEntry): OwnLines | undefined {
  const indent = indentOf(text, key.start);
  const end = text.indexOf('\n', key.start);
  const line = text.slice(key.start, end < 0 ? text.length : end);
  const rest = line.slice(value.end - key.start);
  if (indent === undefined || value.end > key.start + line.length || !/^\s*(\s#.*)?$/.test(rest)) return undefined;
  const lines = [line];
  let start = key.start - indent.length;
  for (;;) {
    const before = text.lastIndexOf('\n', start - 2) + 1;
    const above = text.slice(before, Math.max(start - 1, before));
    if (start === 0 || !above.startsWith(`${indent}#`)) break;
    lines.unshift(above.slice(indent.length));
    start = before;
  }
  return { start, end: end < 0 ? text.length : end + 1, lines };
}

interface Place {
  readonly at: number;
  readonly indent: string;
  /** What leads up to the field. */
  readonly head: string;
}

/** `end` of the lines that are taken out. */
function placeIn(text: string, root: SourceMap, target: Target, end: number): Place | undefined {
  if ('missing' in target) {
    const indent = firstIndent(text, root);
    if (indent === undefined) return undefined;
    const at = behindLine(text, lastOffset(text, root));
    const isOpen = at === text.length && end < text.length && !text.endsWith('\n');
    return { at, indent: `${indent}  `, head: `${isOpen ? '\n' : ''}${indent}${target.missing}:\n` };
  }
  const { key, value } = target.holder;
  const own = indentOf(text, key.start);
  const lineEnd = text.indexOf('\n', key.end);
  if (own === undefined || lineEnd < 0 || !/^["']?\s*:\s*(#.*)?$/.test(text.slice(key.end, lineEnd))) return undefined;
  const indent = value.type === 'null' ? `${own}  ` : value.type === 'map' ? firstIndent(text, value) : undefined;
  return indent === undefined ? undefined : { at: lineEnd + 1, indent, head: '' };
}

/** What the line of an offset begins with, when that is nothing but blanks. */
function indentOf(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^ *$/.test(before) ? before : undefined;
}

/** Of the entries of a map that is not in braces. */
function firstIndent(text: string, { entries, start }: SourceMap): string | undefined {
  const [first] = entries;
  return first === undefined || text.charAt(start) === '{' ? undefined : indentOf(text, first.key.start);
}

/** The start of the next line; the end of the text where there is none. */
function behindLine(text: string, offset: number): number {
  if (text.charAt(offset - 1) === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Behind the last character of a value; comments behind it do not count. */
function lastOffset(text: string, node: SourceNode): number {
  const opening = text.charAt(node.start);
  if (node.type === 'map' && opening !== '{') {
    return Math.max(node.start, ...node.entries.map(({ key, value }) => Math.max(key.end, lastOffset(text, value))));
  }
  if (node.type === 'list' && opening !== '[') return Math.max(node.start, ...node.elements.map((each) => lastOffset(text, each)));
  return node.end;
}
