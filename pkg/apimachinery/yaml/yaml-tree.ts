/** JSON parsed for writing it as YAML: numbers keep their text, members are sorted. */
import { JsonCursor } from '../json/json-cursor.ts';
import { compareByBytes } from '../json/write-json.ts';

/** The JSON text of a number, a boolean or null. */
export class YamlToken {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export class MapNode {
  readonly members: readonly YamlMember[];
  /** Takes ownership of `members` and sorts them. The last of members with the same name is kept. */
  constructor(members: YamlMember[]) {
    members.sort((a, b) => compareByBytes(a.name, b.name));
    this.members = members.every(({ name }, at) => name !== members[at + 1]?.name)
      ? members
      : members.filter(({ name }, at) => name !== members[at + 1]?.name);
  }
}
export interface YamlMember {
  readonly name: string;
  readonly value: YamlNode;
}
export class ListNode {
  readonly elements: readonly YamlNode[];
  constructor(elements: readonly YamlNode[]) {
    this.elements = elements;
  }
}
export type YamlNode = string | YamlToken | MapNode | ListNode;

/** `json`: a single value. Throws StatusError BadRequest if it is invalid. */
export function parseYamlTree(json: string): YamlNode {
  const cursor = new JsonCursor(json);
  const node = readValue(cursor, 0);
  if (cursor.next() !== -1) throw cursor.unexpected('after the value');
  return node;
}

function readValue(cursor: JsonCursor, depth: number): YamlNode {
  const first = cursor.next();
  if (first === 0x22) return readString(cursor);
  if (first === 0x7b) return readMap(cursor, depth);
  if (first === 0x5b) return readList(cursor, depth);
  const start = cursor.at;
  cursor.skip(depth, first);
  return new YamlToken(cursor.text.slice(start, cursor.at));
}

function readString(cursor: JsonCursor): string {
  const start = cursor.at;
  const escaped = cursor.skipString();
  if (!escaped) return cursor.text.slice(start + 1, cursor.at - 1);
  const value: unknown = JSON.parse(cursor.text.slice(start, cursor.at));
  return typeof value === 'string' ? value : '';
}

function readMap(cursor: JsonCursor, depth: number): MapNode {
  const members: YamlMember[] = [];
  cursor.at++;
  if (cursor.next() === 0x7d) {
    cursor.at++;
    return new MapNode(members);
  }
  for (;;) {
    if (cursor.next() !== 0x22) throw cursor.unexpected('where a field name is expected');
    const name = readString(cursor);
    if (cursor.next() !== 0x3a) throw cursor.unexpected('after a field name');
    cursor.at++;
    members.push({ name, value: readValue(cursor, depth + 1) });
    const next = cursor.next();
    if (next !== 0x2c && next !== 0x7d) throw cursor.unexpected('after a field');
    cursor.at++;
    if (next === 0x7d) return new MapNode(members);
  }
}

function readList(cursor: JsonCursor, depth: number): ListNode {
  const elements: YamlNode[] = [];
  cursor.at++;
  if (cursor.next() === 0x5d) {
    cursor.at++;
    return new ListNode(elements);
  }
  for (;;) {
    elements.push(readValue(cursor, depth + 1));
    const next = cursor.next();
    if (next !== 0x2c && next !== 0x5d) throw cursor.unexpected('after a list element');
    cursor.at++;
    if (next === 0x5d) return new ListNode(elements);
  }
}
