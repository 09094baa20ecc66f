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

export function toOutcome({ code, contentType, warnings, body }: Answer, placeholders: Placeholders, clock: Clock): Outcome {
  const hide = new Hide(placeholders, clock);
  return { code, contentType, warnings: warnings.map((text) => hide.text(text)).sort(), body: hide.body(body) };
}

/** Times that are made by a request lie a little ahead: an object may be deleted with a grace period. */
const AHEAD_MS = 60_000;
const BEHIND_MS = 2_000;
const TIME = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z| \\+0000 UTC)';
const TIMES = new RegExp(TIME, 'g');
const ONE_TIME = new RegExp(`^${TIME}$`);
const VERSIONS = /(resource ?version[^0-9{]{0,60}|current: )\d+/gi;
/** `5s`, `3m20s`: less than ten minutes. */
const AGE = /^(?:\d+s|\dm(?:\d+s)?)$/;
const GENERATED_CHARACTERS = 5;

class Hide {
  readonly #placeholders: Placeholders;
  readonly #clock: Clock;

  constructor(placeholders: Placeholders, clock: Clock) {
    this.#placeholders = placeholders;
    this.#clock = clock;
  }

  body(body: Tree): Tree {
    if (!isObject(body)) return typeof body === 'string' ? this.text(body) : body;
    const { items, rows, metadata, ...rest } = body;
    if (isList(items))
      return { ...this.#plain(rest), metadata: this.#listMetadata(metadata), items: items.map((item) => this.#object(item)) };
    if (isList(rows)) return { ...this.#plain(rest), metadata: this.#listMetadata(metadata), rows: rows.map((row) => this.#row(row)) };
    if (body['kind'] === 'Status') return this.#status(body);
    return this.#object(body);
  }

  text(text: string): string {
    const hidden = this.#placeholders.hideUids(text).replaceAll(VERSIONS, '$1{{rv}}');
    return hidden.replaceAll(TIMES, (time) => (this.#isRecent(time) ? '{{now}}' : time));
  }

  #isRecent(time: string): boolean {
    const at = Date.parse(time.replace(' +0000 UTC', 'Z').replace(' ', 'T'));
    return at >= this.#clock.since - BEHIND_MS && at <= this.#clock.now() + AHEAD_MS;
  }

  /** Hides times that are the whole of a text, and uids anywhere, such as in the labels of a Job. */
  #plain<T extends Tree>(tree: T): T;
  #plain(tree: Tree): Tree {
    if (typeof tree === 'string') {
      return ONE_TIME.test(tree) && this.#isRecent(tree) ? this.#placeholders.set('{{now}}', tree) : this.#placeholders.hideUids(tree);
    }
    if (isList(tree)) return tree.map((element) => this.#plain(element));
    if (!isObject(tree)) return tree;
    return Object.fromEntries(Object.entries(tree).map(([name, member]) => [name, this.#plain(member)]));
  }

  #object(tree: Tree): Tree {
    if (!isObject(tree)) return tree;
    const { metadata, ...rest } = tree;
    // First, since the rest may name the uid.
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
      ...(name === undefined ? {} : { name: nameWithoutRandom(name, rest['generateName']) }),
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
      ...(typeof token === 'string' && token !== '' ? { continue: this.#placeholders.nameOf('continue', token) } : {}),
    };
  }

  #row(tree: Tree): Tree {
    if (!isObject(tree)) return tree;
    const { cells, object, ...rest } = tree;
    const isAge = (cell: Tree) => typeof cell === 'string' && AGE.test(cell);
    const shown = object === undefined ? {} : { object: this.#object(object) };
    return {
      ...rest,
      ...shown,
      cells: isList(cells) ? cells.map((cell) => (isAge(cell) ? '{{age}}' : this.#plain(cell))) : (cells ?? null),
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

const nameWithoutRandom = (name: Tree, generateName: Tree | undefined): Tree =>
  typeof name === 'string' && typeof generateName === 'string' && generateName !== '' && name.length >= GENERATED_CHARACTERS
    ? `${name.slice(0, -GENERATED_CHARACTERS)}{{random}}`
    : name;

/** Entries of the same second are ordered by their names, others by their times, so the order depends on times. */
function withoutTimes(managedFields: Tree): Tree {
  if (!isList(managedFields)) return managedFields;
  const entries = managedFields.map((entry) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'time')) : entry,
  );
  return entries.toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1));
}
