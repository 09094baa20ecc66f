/**
 * Moves fields of older files to their current place in the text: a whole line with its comments, or an entry between
 * braces. Nothing else is changed. Fields that cannot be moved are reported.
 */
import type { ConfigShape } from '../kinds/config-kind.ts';
import { fieldNamed, shapeNamed } from '../read/field-names.ts';
import type { SourceEntry, SourceMap, SourceNode } from '../source/source-node.ts';
import type { TextEdit } from './text-edit.ts';

export interface UnmovedField {
  readonly path: string;
  readonly offset: number;
  readonly message: string;
}

export interface MovedFields {
  readonly edits: readonly TextEdit[];
  readonly unmoved: readonly UnmovedField[];
  /** All fields that would have to be moved. */
  readonly all: readonly UnmovedField[];
}

/** `root`: a document of the kind. */
export function moveFields(text: string, root: SourceNode, shape: ConfigShape): MovedFields {
  const edits: TextEdit[] = [];
  const unmoved: UnmovedField[] = [];
  const all: UnmovedField[] = [];
  if (root.type !== 'map') return { edits, unmoved, all };
  for (const { map, entry, path, to } of movedEntries(root, shape, '')) {
    const unmovedField = { path, offset: entry.key.start, message: `is ${to} now, and cannot be moved there automatically` };
    all.push(unmovedField);
    const target = targetOf(root, shape, to.split('.'));
    if (target === 'taken') {
      unmoved.push({ ...unmovedField, message: `is ${to} now, which is also set and takes precedence; remove this one` });
      continue;
    }
    const cut = isInBraces(text, map) ? cutFromBraces(text, map, entry) : cutLines(text, entry);
    const insertion = cut === undefined ? undefined : insertionPoint(text, root, target, cut.end);
    const insert = cut === undefined ? undefined : insertion?.insert(cut.lines);
    if (cut === undefined || insertion === undefined || insert === undefined) unmoved.push(unmovedField);
    else edits.push({ start: cut.start, end: cut.end, text: '' }, { start: insertion.at, end: insertion.at, text: insert });
  }
  return { edits, unmoved, all };
}

interface MovedEntry {
  /** The enclosing map. */
  readonly map: SourceMap;
  readonly entry: SourceEntry;
  readonly path: string;
  readonly to: string;
}

function* movedEntries(map: SourceMap, shape: ConfigShape, within: string): Generator<MovedEntry> {
  for (const entry of map.entries) {
    const field = fieldNamed(shape, entry.key.text)?.field;
    // Null means not set.
    if (field === undefined || entry.value.type === 'null') continue;
    const path = `${within}${field.name}`;
    if (field.movedTo !== undefined) yield { map, entry, path, to: field.movedTo };
    else if (field.type === 'object' && entry.value.type === 'map') yield* movedEntries(entry.value, shapeNamed(field.shape), `${path}.`);
  }
}

/** The object that receives the field: an existing entry, or the name of a new one. */
type MoveTarget = { readonly holder: SourceEntry } | { readonly missing: string };

/** Fields only move to top-level objects. */
function targetOf(root: SourceMap, shape: ConfigShape, [holderName = '', name = '']: readonly string[]): MoveTarget | 'taken' {
  const holder = root.entries.find(({ key }) => fieldNamed(shape, key.text)?.field.name === holderName);
  if (holder === undefined) return { missing: holderName };
  const { value } = holder;
  const isTaken = value.type === 'map' && value.entries.some((entry) => entry.key.text === name && entry.value.type !== 'null');
  return isTaken ? 'taken' : { holder };
}

interface CutText {
  readonly start: number;
  readonly end: number;
  /** Comments, then the entry, without indentation and line ends. */
  readonly lines: readonly string[];
}

/** Undefined if the line contains something else, or the value continues on the next line. */
function cutLines(text: string, { key, value }: SourceEntry): CutText | undefined {
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

/** Includes one comma. Undefined if comments are in between, or the entry takes several lines. */
function cutFromBraces(text: string, map: SourceMap, entry: SourceEntry): CutText | undefined {
  const line = text.slice(entry.key.start, entry.value.end);
  if (line.includes('\n')) return undefined;
  const at = map.entries.indexOf(entry);
  const [before, after] = [map.entries[at - 1], map.entries[at + 1]];
  if (after === undefined && before === undefined) {
    const whole = { start: map.start + 1, end: map.end - 1 };
    return text.slice(whole.start, whole.end).trim() === line ? { ...whole, lines: [line] } : undefined;
  }
  const [start, end] = after === undefined ? [before?.value.end ?? 0, entry.key.start] : [entry.value.end, after.key.start];
  if (!/^\s*,\s*$/.test(text.slice(start, end))) return undefined;
  return after === undefined ? { start, end: entry.value.end, lines: [line] } : { start: entry.key.start, end, lines: [line] };
}

interface InsertionPoint {
  readonly at: number;
  /** The text to insert; undefined if there is no place for comments. */
  readonly insert: (lines: readonly string[]) => string | undefined;
}

/** `end`: end offset of the removed text. */
function insertionPoint(text: string, root: SourceMap, target: MoveTarget, end: number): InsertionPoint | undefined {
  if ('missing' in target)
    return isInBraces(text, root) ? newInBraces(text, root, target.missing) : newInLines(text, root, target.missing, end);
  const { value } = target.holder;
  return value.type === 'map' && isInBraces(text, value) ? firstInBraces(text, value) : firstInLines(text, target.holder);
}

function newInLines(text: string, root: SourceMap, name: string, end: number): InsertionPoint | undefined {
  const indent = firstIndent(text, root);
  if (indent === undefined) return undefined;
  const at = nextLineStart(text, lastOffset(text, root));
  const isOpen = at === text.length && end < text.length && !text.endsWith('\n');
  return { at, insert: (lines) => `${isOpen ? '\n' : ''}${indent}${name}:\n${indented(`${indent}  `, lines)}` };
}

function firstInLines(text: string, { key, value }: SourceEntry): InsertionPoint | undefined {
  const own = indentOf(text, key.start);
  const lineEnd = text.indexOf('\n', key.end);
  if (own === undefined || lineEnd < 0 || !/^["']?\s*:\s*(#.*)?$/.test(text.slice(key.end, lineEnd))) return undefined;
  const indent = value.type === 'null' ? `${own}  ` : value.type === 'map' ? firstIndent(text, value) : undefined;
  return indent === undefined ? undefined : { at: lineEnd + 1, insert: (lines) => indented(indent, lines) };
}

const indented = (indent: string, lines: readonly string[]): string => lines.map((line) => `${indent}${line}\n`).join('');

function newInBraces(text: string, root: SourceMap, name: string): InsertionPoint | undefined {
  const [first, last] = [root.entries[0], root.entries.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const gap = blankBefore(text, root, first);
  if (gap === undefined) return undefined;
  return { at: last.value.end, insert: (lines) => inBraces(lines, (entry) => `,${gap}${namedLike(entry, name)}: {${entry}}`) };
}

function firstInBraces(text: string, map: SourceMap): InsertionPoint | undefined {
  const [first] = map.entries;
  if (first === undefined) return { at: map.start + 1, insert: (lines) => inBraces(lines, (entry) => entry) };
  const gap = blankBefore(text, map, first);
  return gap === undefined ? undefined : { at: first.key.start, insert: (lines) => inBraces(lines, (entry) => `${entry},${gap}`) };
}

/** Between braces a comment would hide the rest of the line. */
function inBraces(lines: readonly string[], insert: (entry: string) => string): string | undefined {
  const [entry = '', ...more] = lines;
  return more.length > 0 || entry.includes('#') ? undefined : insert(entry.trimEnd());
}

/** The white space between the brace and the first entry; undefined if there is anything else. */
function blankBefore(text: string, map: SourceMap, first: SourceEntry): string | undefined {
  const gap = text.slice(map.start + 1, first.key.start);
  if (!/^\s*$/.test(gap)) return undefined;
  return gap === '' && text.charAt(first.key.start) !== '"' ? ' ' : gap;
}

/** Quoted like the key of the entry. */
function namedLike(entry: string, name: string): string {
  const [quote = ''] = /^["']/.exec(entry) ?? [];
  return `${quote}${name}${quote}`;
}

const isInBraces = (text: string, { start }: SourceMap): boolean => text.charAt(start) === '{';

/** The indentation of the line at an offset, if nothing else precedes it. Ignores a byte order mark. */
function indentOf(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?( *)$/.exec(before)?.[1];
}

/** The indentation of the entries of a block map. */
function firstIndent(text: string, { entries: [first] }: SourceMap): string | undefined {
  return first === undefined ? undefined : indentOf(text, first.key.start);
}

/** The start of the next line, or the end of the text. */
function nextLineStart(text: string, offset: number): number {
  if (text.charAt(offset - 1) === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** The end of a value without the comments after it. */
function lastOffset(text: string, node: SourceNode): number {
  if (node.type === 'map' && !isInBraces(text, node)) {
    return Math.max(node.start, ...node.entries.map(({ key, value }) => Math.max(key.end, lastOffset(text, value))));
  }
  if (node.type === 'list' && text.charAt(node.start) !== '[')
    return Math.max(node.start, ...node.elements.map((each) => lastOffset(text, each)));
  return node.end;
}
