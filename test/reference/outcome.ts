/** An answer without what two servers cannot have in common: uids, versions, the time. */
import type { Placeholders } from './placeholders.ts';
import { isList, isObject, memberOf, toText, type Tree, type TreeObject } from './tree.ts';

export interface Answer {
  readonly code: number;
  readonly contentType: string;
  /** Texts of Warning headers. */
  readonly warnings: readonly string[];
  readonly body: Tree;
}

/** An answer with placeholders. */
export type Outcome = Answer;

export interface Clock {
  readonly now: () => number;
  /** When the servers started: times since then were made by them. */
  readonly since: number;
}

export interface OutcomeOptions {
  readonly placeholders: Placeholders;
  readonly clock: Clock;
  /** The server was to complete this name. */
  readonly generateName?: string | undefined;
}

export function toOutcome({ code, contentType, warnings, body }: Answer, options: OutcomeOptions): Outcome {
  const hide = new Hide(options);
  return { code, contentType, warnings: warnings.map((text) => hide.text(text)).sort(), body: hide.body(body) };
}

/** Times that are made by a request lie a little ahead: an object may be deleted with a grace period. */
const AHEAD_MS = 60_000;
const BEHIND_MS = 2_000;
const TIME = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z| \\+0000 UTC)';
const TIMES = new RegExp(TIME, 'g');
const ONE_TIME = new RegExp(`^${TIME}$`);
const VERSIONS = /(resource ?version[^0-9{]{0,60}|current: )\d+/gi;
/** Only the start of a long value may be shown. */
const LONG_WORDS = /([^\s"]{200})[^\s"]+/g;
/** `5s`, `3m20s`: less than ten minutes. */
const AGE = /^(?:\d+s|\dm(?:\d+s)?)$/;
/** A generated name has 63 characters at most, five of which are random. */
const MAX_GENERATED_FROM = 58;

class Hide {
  readonly #placeholders: Placeholders;
  readonly #clock: Clock;

  readonly #generated: RegExp | undefined;

  constructor({ placeholders, clock, generateName = '' }: OutcomeOptions) {
    this.#placeholders = placeholders;
    this.#clock = clock;
    const base = generateName.slice(0, MAX_GENERATED_FROM).replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    if (base !== '') this.#generated = new RegExp(`(${base})[b-df-hj-np-tv-xz0-9]{5}(?![a-z0-9])`, 'g');
  }

  body(body: Tree): Tree {
    if (!isObject(body)) return typeof body === 'string' ? this.text(body) : body;
    const { items, rows, metadata, ...rest } = body;
    const { kind } = rest;
    // An empty list has no items in protobuf.
    if (items !== undefined || (typeof kind === 'string' && kind.endsWith('List'))) {
      const shown = isList(items) ? items.map((item) => this.#object(item)) : items;
      return { ...this.#plain(rest), metadata: this.#listMetadata(metadata), ...(shown === undefined ? {} : { items: shown }) };
    }
    if (rows !== undefined)
      return {
        ...this.#plain(rest),
        metadata: this.#listMetadata(metadata),
        rows: isList(rows) ? rows.map((row) => this.#row(row)) : rows,
      };
    if (kind === 'Status') return this.#status(body);
    return this.#object(body);
  }

  text(text: string): string {
    const hidden = this.#placeholders.hideVersions(this.#names(text)).replaceAll(VERSIONS, '$1{{rv}}');
    return hidden.replaceAll(TIMES, (time) => (this.#isRecent(time) ? '{{now}}' : time)).replaceAll(LONG_WORDS, '$1…');
  }

  /** Without uids and generated names, which may be anywhere in an object. */
  #names(text: string): string {
    const hidden = this.#placeholders.hideUids(text);
    return this.#generated === undefined ? hidden : hidden.replaceAll(this.#generated, '$1{{random}}');
  }

  #isRecent(time: string): boolean {
    const at = Date.parse(time.replace(' +0000 UTC', 'Z').replace(' ', 'T'));
    return at >= this.#clock.since - BEHIND_MS && at <= this.#clock.now() + AHEAD_MS;
  }

  /** Times and names alone are hidden. */
  #plain<T extends Tree>(tree: T): T;
  #plain(tree: Tree): Tree {
    if (typeof tree === 'string') {
      return ONE_TIME.test(tree) && this.#isRecent(tree) ? this.#placeholders.set('{{now}}', tree) : this.#names(tree);
    }
    if (isList(tree)) return tree.map((element) => this.#plain(element));
    if (!isObject(tree)) return tree;
    return Object.fromEntries(Object.entries(tree).map(([name, member]) => [name, this.#plain(member)]));
  }

  #object(tree: Tree): Tree {
    if (!isObject(tree)) return tree;
    const { metadata, ...rest } = tree;
    // First the metadata: its uid may be elsewhere in the object.
    const hidden = metadata === undefined ? {} : { metadata: this.#metadata(metadata) };
    return { ...this.#plain(rest), ...hidden };
  }

  #metadata(tree: Tree): Tree {
    if (!isObject(tree)) return tree;
    const { uid, resourceVersion, creationTimestamp, managedFields, name, ...rest } = tree;
    const uidName = typeof uid === 'string' && uid !== '' ? this.#placeholders.nameOf('uid', uid) : uid;
    const created = typeof creationTimestamp === 'string' && this.#isRecent(creationTimestamp);
    return {
      ...this.#plain(rest),
      ...(name === undefined ? {} : { name: this.#plain(name) }),
      ...(uidName === undefined ? {} : { uid: uidName }),
      ...(resourceVersion === undefined ? {} : { resourceVersion: this.#version(resourceVersion) }),
      ...(creationTimestamp === undefined
        ? {}
        : {
            creationTimestamp: created
              ? this.#placeholders.set(
                  `{{created:${/\d+/.exec(typeof uidName === 'string' ? uidName : '')?.[0] ?? '0'}}}`,
                  creationTimestamp,
                )
              : creationTimestamp,
          }),
      ...(managedFields === undefined ? {} : { managedFields: withoutTimes(managedFields) }),
    };
  }

  #version(tree: Tree): Tree {
    return typeof tree === 'string' && /^\d+$/.test(tree) ? this.#placeholders.nameOf('rv', tree) : tree;
  }

  #listMetadata(tree: Tree | undefined): Tree {
    if (!isObject(tree)) return tree ?? null;
    const { resourceVersion, continue: token, ...rest } = tree;
    return {
      ...rest,
      ...(resourceVersion === undefined ? {} : { resourceVersion: '{{list}}' }),
      ...(typeof token === 'string' && token !== '' ? { continue: this.#placeholders.set('{{continue}}', token) } : {}),
    };
  }

  #row(tree: Tree): Tree {
    if (!isObject(tree)) return tree;
    const { cells, object, ...rest } = tree;
    const isAge = (cell: Tree) => typeof cell === 'string' && AGE.test(cell);
    // First the object: its uid may be in the cells.
    const shown = object === undefined ? {} : { object: this.#object(object) };
    return {
      ...rest,
      ...shown,
      cells: isList(cells)
        ? cells.map((cell) => (isAge(cell) ? '{{age}}' : typeof cell === 'string' ? this.text(cell) : cell))
        : (cells ?? null),
    };
  }

  #status(status: TreeObject): Tree {
    const { message, details, ...rest } = status;
    const uid = memberOf(details, 'uid');
    const hide = (tree: Tree): Tree => {
      if (typeof tree === 'string') return this.text(tree);
      if (isList(tree)) return tree.map(hide);
      return isObject(tree) ? Object.fromEntries(Object.entries(tree).map(([name, member]) => [name, hide(member)])) : tree;
    };
    const known = typeof uid === 'string' ? { uid: this.#placeholders.nameOf('uid', uid) } : {};
    return {
      ...rest,
      ...(message === undefined ? {} : { message: hide(message) }),
      ...(isObject(details) ? { details: { ...(hide(details) as TreeObject), ...known } } : {}),
    };
  }
}

/** Entries of the same second are ordered by their names, others by their times, so the order depends on times. */
function withoutTimes(managedFields: Tree): Tree {
  if (!isList(managedFields)) return managedFields;
  const entries = managedFields.map((entry) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'time')) : entry,
  );
  return entries.toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1));
}
