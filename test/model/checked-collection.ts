/**
 * One collection of a server, spread over two namespaces, and its history. Each write says what must come of it, and is
 * entered in the history as the witness tells: a watch of everything, whose every event must be one that was expected.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, StatusBody } from '../support/api-object.ts';
import type { Answer, Api } from '../support/api.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';
import { GUARD, type Draft, type ModelKind } from './model-kinds.ts';
import { ObjectHistory, keyOf } from './object-history.ts';

export interface Place {
  readonly space: 0 | 1;
  readonly name: string;
}

/** Which state a write is meant for. */
export type Version = 'none' | 'right' | 'stale';
export type Precondition = 'none' | 'uid' | 'other uid' | 'right' | 'stale';

export type Write =
  | ({ readonly do: 'create'; readonly dry: boolean } & Place & Draft)
  | ({ readonly do: 'replace'; readonly version: Version | 'same'; readonly dry: boolean } & Place & Draft)
  | ({ readonly do: 'patch'; readonly version: Version; readonly dry: boolean } & Place & Draft)
  | ({ readonly do: 'delete'; readonly precondition: Precondition; readonly dry: boolean } & Place);

/** What a write must be answered with, and the event that must come of it, if any. */
interface Expectation {
  readonly code: number;
  readonly reason?: string;
  /** `answer`: the object of the answer. `gone`: the stored object, as it was. */
  readonly event?: 'answer' | 'gone';
  /** What the object of the answer must have in it. */
  readonly object?: { readonly body: Body; readonly previous: ApiObject | undefined };
  /** The answer shows exactly this. */
  readonly unchanged?: ApiObject;
}

interface Body {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[] | null;
    readonly resourceVersion?: string;
  };
}

export class CheckedCollection {
  readonly api: Api;
  readonly kind: ModelKind;
  readonly run: string;
  readonly spaces: readonly [string, string];
  readonly history: ObjectHistory;
  readonly #witness: WatchStream;
  /** Makes each write a change. */
  #step = 0;

  private constructor(api: Api, kind: ModelKind, run: string, begin: number, witness: WatchStream) {
    this.api = api;
    this.kind = kind;
    this.run = run;
    // The bytes of the one's keys come before those of the other's, the names do not.
    this.spaces = [`m-${run}`, `m-${run}-z`];
    this.history = new ObjectHistory(begin);
    this.#witness = witness;
  }

  static async open(api: Api, kind: ModelKind, run: string): Promise<CheckedCollection> {
    const everywhere = `${kind.root}/${kind.resource}?labelSelector=run%3D${run}`;
    const begin = (await api.get(everywhere)).list().metadata.resourceVersion;
    const witness = await api.watch(`${everywhere}&watch=true&resourceVersion=${begin}`);
    return new CheckedCollection(api, kind, run, Number(begin), witness);
  }

  close(): void {
    this.#witness.close();
  }

  collectionPath(space: 0 | 1 | undefined): string {
    const { root, resource } = this.kind;
    return space === undefined ? `${root}/${resource}` : `${root}/namespaces/${this.spaces[space]}/${resource}`;
  }

  itemPath({ space, name }: Place): string {
    return `${this.collectionPath(space)}/${name}`;
  }

  stored({ space, name }: Place): ApiObject | undefined {
    return this.history.get(`${this.spaces[space]}/${name}`);
  }

  /** Several at once must be of different objects. */
  async write(...writes: readonly Write[]): Promise<void> {
    await this.writeWhile(writes, async () => undefined);
  }

  /** `beside` runs at the same time; what it saw may be checked once this has resolved. */
  async writeWhile(writes: readonly Write[], beside: () => Promise<void>): Promise<void> {
    const [expected] = await Promise.all([Promise.all(writes.map((write) => this.#send(write))), beside()]);
    await this.#enter(expected.flatMap((event) => (event === undefined ? [] : [event])));
  }

  /** The deletes of a collection happen in any order. `dry`: not at all. */
  async deleteCollection(space: 0 | 1, parameters: string, selected: readonly ApiObject[], dry: boolean): Promise<StatusBody> {
    const answer = await this.api.delete(`${this.collectionPath(space)}?${parameters}`);
    if (answer.code !== 200) throw new Error(`the collection was not deleted: ${answer.code} ${answer.text}`);
    const events = selected.flatMap((object): ExpectedEvent[] => {
      if (object.metadata.finalizers === undefined) return [{ key: keyOf(object), gone: object }];
      return object.metadata.deletionTimestamp === undefined ? [{ key: keyOf(object), marks: object }] : [];
    });
    await this.#enter(dry ? [] : events);
    return answer.status();
  }

  async #send(write: Write): Promise<ExpectedEvent | undefined> {
    const stored = this.stored(write);
    const { method, path, body, type } = this.#request(write, stored);
    const expected = this.#expectation(write, stored, body as Body);
    const answer = await this.api.send(method, `${path}${write.dry ? '?dryRun=All' : ''}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': type },
    });
    checkAnswer(answer, expected);
    if (write.dry || expected.event === undefined) return undefined;
    const key = `${this.spaces[write.space]}/${write.name}`;
    if (expected.event === 'gone') return stored === undefined ? undefined : { key, gone: stored };
    return { key, object: answer.object() };
  }

  #request(write: Write, stored: ApiObject | undefined): { method: string; path: string; body: object; type: string } {
    const json = 'application/json';
    switch (write.do) {
      case 'create':
        return { method: 'POST', path: this.collectionPath(write.space), body: this.#body(write, {}), type: json };
      case 'replace': {
        const body = write.version === 'same' && stored !== undefined ? stored : this.#body(write, versionOf(stored, write.version));
        return { method: 'PUT', path: this.itemPath(write), body, type: json };
      }
      case 'patch': {
        const { metadata } = this.#body(write, versionOf(stored, write.version));
        const labels = { ...metadata.labels, tier: write.tier ?? null };
        const patch = { metadata: { ...metadata, labels, finalizers: metadata.finalizers ?? null }, ...this.kind.urgency(write.urgent) };
        return { method: 'PATCH', path: this.itemPath(write), body: patch, type: 'application/merge-patch+json' };
      }
      case 'delete':
        return { method: 'DELETE', path: this.itemPath(write), body: deleteOptions(stored, write), type: json };
      default:
        return write satisfies never;
    }
  }

  #body({ space, name, tier, urgent, held }: Place & Draft, version: { readonly resourceVersion?: string }) {
    return {
      ...this.kind.fields(name, this.spaces[space], urgent),
      metadata: {
        name,
        labels: { run: this.run, ...(tier === undefined ? {} : { tier }) },
        annotations: { step: String(++this.#step) },
        ...(held ? { finalizers: [GUARD] } : {}),
        ...version,
      },
    };
  }

  #expectation(write: Write, stored: ApiObject | undefined, body: Body): Expectation {
    switch (write.do) {
      case 'create':
        if (stored !== undefined) return { code: 409, reason: 'AlreadyExists' };
        return { code: 201, event: 'answer', object: { body, previous: undefined } };
      case 'replace':
        if (stored !== undefined && write.version === 'same') return { code: 200, unchanged: stored };
        if (stored === undefined && this.kind.putCreates) return { code: 201, event: 'answer', object: { body, previous: undefined } };
        return expectUpdate(write.version, stored, body);
      case 'patch':
        return expectUpdate(write.version, stored, body);
      case 'delete':
        return expectDelete(write.precondition, stored);
      default:
        return write satisfies never;
    }
  }

  /** The witness tells as many events as are expected, each of them one of those. */
  async #enter(expected: readonly ExpectedEvent[]): Promise<void> {
    const left = new Map(expected.map((each) => [each.key, each]));
    if (left.size !== expected.length) throw new Error('two writes of one object at once');
    for (const event of await this.#witness.take(expected.length)) {
      const key = keyOf(event.object);
      const one = left.get(key);
      if (one === undefined || !left.delete(key)) throw new Error(`an event that nobody expects: ${JSON.stringify(event)}`);
      checkEvent(event, one);
      this.history.append(event);
    }
    const [extra] = this.#witness.pending();
    if (extra !== undefined) throw new Error(`one event too many: ${JSON.stringify(extra)}`);
  }
}

type ExpectedEvent = { readonly key: string } & (
  | { readonly object: ApiObject }
  /** Deleted; it was this. */
  | { readonly gone: ApiObject }
  /** Marked as deleting; it was this. */
  | { readonly marks: ApiObject }
);

function checkEvent(event: WatchEvent, expected: ExpectedEvent): void {
  const { resourceVersion } = event.object.metadata;
  if ('object' in expected) {
    same(event.object, expected.object, 'the event of a write');
  } else if ('gone' in expected) {
    if (event.type !== 'DELETED') throw new Error(`${event.type} instead of DELETED`);
    same(event.object, { ...expected.gone, metadata: { ...expected.gone.metadata, resourceVersion } }, 'the event of a delete');
  } else {
    const { deletionTimestamp, deletionGracePeriodSeconds, generation } = event.object.metadata;
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) throw new Error(`not marked: ${JSON.stringify(event)}`);
    const metadata = { ...expected.marks.metadata, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds };
    same(event.object, { ...expected.marks, metadata: { ...metadata, ...(generation === undefined ? {} : { generation }) } }, 'a mark');
  }
}

/** Throws with both when they differ in anything but the order of members. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} is\n${JSON.stringify(actual)}\ninstead of\n${JSON.stringify(expected)}`);
}

function versionOf(stored: ApiObject | undefined, version: Version | 'same'): { readonly resourceVersion?: string } {
  if (stored === undefined || version === 'none' || version === 'same') return {};
  const { resourceVersion } = stored.metadata;
  return { resourceVersion: version === 'right' ? resourceVersion : String(Number(resourceVersion) - 1) };
}

/** All in the body: where there is one, the query is not looked at. */
function deleteOptions(stored: ApiObject | undefined, { precondition, dry }: Extract<Write, { do: 'delete' }>): object {
  return { ...(dry ? { dryRun: ['All'] } : {}), ...preconditionsOf(stored, precondition) };
}

function preconditionsOf(stored: ApiObject | undefined, precondition: Precondition): object {
  switch (precondition) {
    case 'none':
      return {};
    case 'uid':
      return { preconditions: { uid: stored?.metadata.uid ?? 'unknown' } };
    case 'other uid':
      return { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } };
    case 'right':
    case 'stale':
      return { preconditions: versionOf(stored, precondition) };
    default:
      return precondition satisfies never;
  }
}

function expectUpdate(version: Version | 'same', stored: ApiObject | undefined, body: Body): Expectation {
  if (stored === undefined) return { code: 404, reason: 'NotFound' };
  if (version === 'stale') return { code: 409, reason: 'Conflict' };
  const { deletionTimestamp } = stored.metadata;
  const isReleased = deletionTimestamp !== undefined && (body.metadata.finalizers ?? undefined) === undefined;
  return { code: 200, event: isReleased ? 'gone' : 'answer', object: { body, previous: stored } };
}

function expectDelete(precondition: Precondition, stored: ApiObject | undefined): Expectation {
  if (stored === undefined) return { code: 404, reason: 'NotFound' };
  if (precondition === 'other uid' || precondition === 'stale') return { code: 409, reason: 'Conflict' };
  const { finalizers, deletionTimestamp } = stored.metadata;
  if (finalizers === undefined) return { code: 200, event: 'gone' };
  if (deletionTimestamp !== undefined) return { code: 200, unchanged: stored };
  return { code: 200, event: 'answer' };
}

function checkAnswer(answer: Answer, { code, reason, object, unchanged }: Expectation): void {
  if (answer.code !== code) throw new Error(`answered ${answer.code} instead of ${code}: ${answer.text}`);
  if (reason !== undefined) {
    if (answer.status().reason !== reason) throw new Error(`refused with ${answer.text} instead of ${reason}`);
    return;
  }
  if (unchanged !== undefined) same(answer.object(), unchanged, 'what did not change');
  if (object === undefined) return;
  const { metadata } = answer.object();
  const { body, previous } = object;
  const labels = Object.fromEntries(Object.entries(body.metadata.labels ?? {}).filter(([, value]) => value !== null));
  same(metadata.labels, labels, 'the labels');
  same(metadata.annotations, body.metadata.annotations, 'the annotations');
  same(metadata.finalizers, body.metadata.finalizers ?? undefined, 'the finalizers');
  if (previous === undefined) return;
  same([metadata.uid, metadata.creationTimestamp], [previous.metadata.uid, previous.metadata.creationTimestamp], 'what stays');
}
