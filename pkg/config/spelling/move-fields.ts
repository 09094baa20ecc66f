/**
 * Fields of older files whose place is another one now, moved as text: a line of its own with the comment behind it and the ones right above it, or an entry
 * between braces. Nothing else of the file is touched. What cannot be cut out and put in like that stays and is named.
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
  for (const { map, entry, path, to } of movedEntries(root, shape, '')) {
    const stays = { path, offset: entry.key.start, message: `is ${to} now, and cannot be moved there as it stands here` };
    all.push(stays);
    const target = targetOf(root, shape, to.split('.'));
    if (target === 'taken') {
      left.push({ ...stays, message: `is ${to} now, which is set too and counts; take this one out` });
      continue;
    }
    const cut = isInBraces(text, map) ? cutFromBraces(text, map, entry) : cutLines(text, entry);
    const place = cut === undefined ? undefined : placeIn(text, root, target, cut.end);
    const put = cut === undefined ? undefined : place?.put(cut.lines);
    if (cut === undefined || place === undefined || put === undefined) left.push(stays);
    else edits.push({ start: cut.start, end: cut.end, text: '' }, { start: place.at, end: place.at, text: put });
  }
  return { edits, left, all };
}

interface MovedEntry {
  /** That it is in. */
  readonly map: SourceMap;
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
    if (field.movedTo !== undefined) yield { map, entry, path, to: field.movedTo };
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

interface Cut {
  readonly start: number;
  readonly end: number;
  /** Without what they are indented by, and without their breaks. Comments, then the entry. */
  readonly lines: readonly string[];
}

/** Undefined when something else is on the line, or the value goes on in the next one. */
function cutLines(text: string, { key, value }: SourceEntry): Cut | undefined {
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

/** With the comma behind it, or else before it. Undefined when there are comments between, or it takes several lines. */
function cutFromBraces(text: string, map: SourceMap, entry: SourceEntry): Cut | undefined {
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

interface Place {
  readonly at: number;
  /** What is put in there; undefined when there is no room for comments. */
  readonly put: (lines: readonly string[]) => string | undefined;
}

/** `end` of what is cut out. */
function placeIn(text: string, root: SourceMap, target: Target, end: number): Place | undefined {
  if ('missing' in target)
    return isInBraces(text, root) ? newInBraces(text, root, target.missing) : newInLines(text, root, target.missing, end);
  const { value } = target.holder;
  return value.type === 'map' && isInBraces(text, value) ? firstInBraces(text, value) : firstInLines(text, target.holder);
}

function newInLines(text: string, root: SourceMap, name: string, end: number): Place | undefined {
  const indent = firstIndent(text, root);
  if (indent === undefined) return undefined;
  const at = behindLine(text, lastOffset(text, root));
  const isOpen = at === text.length && end < text.length && !text.endsWith('\n');
  return { at, put: (lines) => `${isOpen ? '\n' : ''}${indent}${name}:\n${indented(`${indent}  `, lines)}` };
}

function firstInLines(text: string, { key, value }: SourceEntry): Place | undefined {
  const own = indentOf(text, key.start);
  const lineEnd = text.indexOf('\n', key.end);
  if (own === undefined || lineEnd < 0 || !/^["']?\s*:\s*(#.*)?$/.test(text.slice(key.end, lineEnd))) return undefined;
  const indent = value.type === 'null' ? `${own}  ` : value.type === 'map' ? firstIndent(text, value) : undefined;
  return indent === undefined ? undefined : { at: lineEnd + 1, put: (lines) => indented(indent, lines) };
}

const indented = (indent: string, lines: readonly string[]): string => lines.map((line) => `${indent}${line}\n`).join('');

function newInBraces(text: string, root: SourceMap, name: string): Place | undefined {
  const [first, last] = [root.entries[0], root.entries.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const gap = blankBefore(text, root, first);
  if (gap === undefined) return undefined;
  return { at: last.value.end, put: (lines) => inBraces(lines, (entry) => `,${gap}${namedLike(entry, name)}: {${entry}}`) };
}

function firstInBraces(text: string, map: SourceMap): Place | undefined {
  const [first] = map.entries;
  if (first === undefined) return { at: map.start + 1, put: (lines) => inBraces(lines, (entry) => entry) };
  const gap = blankBefore(text, map, first);
  return gap === undefined ? undefined : { at: first.key.start, put: (lines) => inBraces(lines, (entry) => `${entry},${gap}`) };
}

/** Between braces a comment would hide what follows. */
function inBraces(lines: readonly string[], put: (entry: string) => string): string | undefined {
  const [entry = '', ...more] = lines;
  return more.length > 0 || entry.includes('#') ? undefined : put(entry.trimEnd());
}

/** What stands between the brace and the first entry, for between entries; undefined for more than blanks. */
function blankBefore(text: string, map: SourceMap, first: SourceEntry): string | undefined {
  const gap = text.slice(map.start + 1, first.key.start);
  if (!/^\s*$/.test(gap)) return undefined;
  return gap === '' && text.charAt(first.key.start) !== '"' ? ' ' : gap;
}

/** In quotes if the key of the entry is. */
function namedLike(entry: string, name: string): string {
  const [quote = ''] = /^["']/.exec(entry) ?? [];
  return `${quote}${name}${quote}`;
}

const isInBraces = (text: string, { start }: SourceMap): boolean => text.charAt(start) === '{';

/** What the line of an offset begins with, when that is nothing but blanks. A byte order mark is none of it. */
function indentOf(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?( *)$/.exec(before)?.[1];
}

/** Of the entries of a map that is not in braces. */
function firstIndent(text: string, { entries: [first] }: SourceMap): string | undefined {
  return first === undefined ? undefined : indentOf(text, first.key.start);
}

/** The start of the next line; the end of the text where there is none. */
function behindLine(text: string, offset: number): number {
  if (text.charAt(offset - 1) === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Behind the last character of a value; comments behind it do not count. */
function lastOffset(text: string, node: SourceNode): number {
  if (node.type === 'map' && !isInBraces(text, node)) {
    return Math.max(node.start, ...node.entries.map(({ key, value }) => Math.max(key.end, lastOffset(text, value))));
  }
  if (node.type === 'list' && text.charAt(node.start) !== '[')
    return Math.max(node.start, ...node.elements.map((each) => lastOffset(text, each)));
  return node.end;
}
