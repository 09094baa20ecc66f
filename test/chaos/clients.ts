/** Clients that go on whatever happens, and write down what they see. Any of them may talk to any server. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiObject } from '../support/api-object.ts';
import type { Answer, Api } from '../support/api.ts';
import { CRON_JOB, collectionPath, itemPath } from '../support/kinds.ts';
import type { WatchStream } from '../support/watch-stream.ts';
import type { ObservedEvent, ObservedInformer, ObservedList, ObservedRead, ObservedWrite, State } from './evidence.ts';

export const NAMESPACE = 'chaos';
const COLLECTION = collectionPath(CRON_JOB, NAMESPACE);
const MARK = 'example.com/mark';
/** Whoever was turned away knocks again after this. */
const AGAIN_MS = 50;
const PAGE = 2;
/** Who may ask any server asks another one after so many events. */
const EVENTS_PER_STREAM = 25;

/** A server as the clients know it: where it listens may be nobody for a while. */
export interface Server {
  readonly name: string;
  readonly api: Api;
}

export interface ClientOptions {
  readonly servers: readonly Server[];
  /** In [0, 1). */
  readonly random: () => number;
  readonly stop: AbortSignal;
}

export interface Notes {
  readonly writes: ObservedWrite[];
  readonly reads: ObservedRead[];
  readonly lists: ObservedList[];
  readonly spans: { readonly watcher: string; readonly from: number; readonly events: ObservedEvent[] }[];
  readonly informers: ObservedInformer[];
  readonly expired: string[];
  readonly errors: string[];
  /** How often a watch was opened, the first time or again where it was. */
  opened: number;
}

export const emptyNotes = (): Notes => ({
  writes: [],
  reads: [],
  lists: [],
  spans: [],
  informers: [],
  expired: [],
  errors: [],
  opened: 0,
});

const now = (): number => performance.now();
const pick = <T>(values: readonly [T, ...T[]] | readonly T[], random: () => number): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};
const markOf = ({ metadata }: ApiObject): string => metadata.annotations?.[MARK] ?? '';
const stateOf = (object: ApiObject): State => ({ revision: Number(object.metadata.resourceVersion), mark: markOf(object) });
/** Undefined: there was no answer. */
const answered = (answer: Promise<Answer>): Promise<Answer | undefined> => answer.catch(() => undefined);

export const objectOf = (name: string, mark: string, revision?: number): object => {
  const sample = CRON_JOB.sample(name, NAMESPACE);
  const version = revision === undefined ? {} : { resourceVersion: String(revision) };
  return { ...sample, metadata: { ...sample.metadata, annotations: { [MARK]: mark }, ...version } };
};

export interface Writer {
  readonly name: string;
  /** Of its objects. Others may write them, too. */
  readonly keys: readonly string[];
}

/**
 * Creates, replaces and deletes objects, each write meant for the state that it knows; asks what there is when it does
 * not know.
 */
export async function write(writer: Writer, { servers, random, stop }: ClientOptions, { writes, reads }: Notes): Promise<void> {
  const known = new Map<string, number | undefined>(writer.keys.map((key) => [key, 0]));
  for (let step = 0; !stop.aborted; step++) {
    const { api, name: server } = pick(servers, random);
    const key = pick([...known.keys()], random);
    const base = known.get(key);
    if (base === undefined) {
      const read = await readOne(key, { api, name: server });
      if (read === undefined) await pause(AGAIN_MS);
      else {
        reads.push(read);
        known.set(key, read.state?.revision ?? 0);
      }
      continue;
    }
    const does = base === 0 ? 'create' : random() < 0.2 ? 'delete' : 'update';
    const mark = `${writer.name}.${step}`;
    const path = itemPath(CRON_JOB, NAMESPACE, key);
    const answer = await answered(
      does === 'create'
        ? api.post(COLLECTION, objectOf(key, mark))
        : does === 'update'
          ? api.put(path, objectOf(key, mark, base))
          : api.delete(path, { preconditions: { resourceVersion: String(base) } }),
    );
    const outcome = outcomeOf(answer);
    const revision = outcome === 'acknowledged' && does !== 'delete' ? stateOf(answer?.object() as ApiObject).revision : undefined;
    writes.push({ key, does, mark, base, outcome, revision, answeredAt: now(), note: `${server}: ${shown(answer)}` });
    known.set(key, outcome === 'acknowledged' ? (revision ?? 0) : undefined);
  }
}

function outcomeOf(answer: Answer | undefined): ObservedWrite['outcome'] {
  if (answer === undefined) return 'unknown';
  if (answer.code < 300) return 'acknowledged';
  // Too busy, or without its store: both say that nothing was written. Any other failure of the server leaves it open.
  return answer.code < 500 || answer.code === 503 ? 'refused' : 'unknown';
}

/** The code, and what a refusal says. */
const shown = (answer: Answer | undefined): string =>
  answer === undefined ? 'no answer' : answer.code < 300 ? String(answer.code) : `${answer.code} ${answer.status().message ?? ''}`;

async function readOne(key: string, { api, name }: Server): Promise<ObservedRead | undefined> {
  const sentAt = now();
  const answer = await answered(api.get(itemPath(CRON_JOB, NAMESPACE, key)));
  if (answer?.code !== 200 && answer?.code !== 404) return undefined;
  return { key, sentAt, answeredAt: now(), state: answer.code === 404 ? undefined : stateOf(answer.object()), note: name };
}

/** `limit` undefined: in one piece. Each page is asked of another server, perhaps. */
async function listAll(askNext: () => Server, limit?: number): Promise<ObservedList | undefined> {
  const sentAt = now();
  const states = new Map<string, State>();
  const revisions: number[] = [];
  const asked: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const { api, name } = askNext();
    asked.push(name);
    const query = new URLSearchParams({
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(token === '' ? {} : { continue: token }),
    });
    const answer = await answered(api.get(`${COLLECTION}?${query.toString()}`));
    if (answer?.code !== 200) return undefined;
    const { items, metadata } = answer.list();
    for (const item of items) states.set(item.metadata.name, stateOf(item));
    revisions.push(Number(metadata.resourceVersion));
    token = metadata.continue;
  }
  const [revision = 0, ...laterRevisions] = revisions;
  return { sentAt, answeredAt: now(), revision, laterRevisions, states, note: asked.join(', ') };
}

/** Reads what writers write, and now and then all of it. */
export async function read(keys: readonly string[], { servers, random, stop }: ClientOptions, { reads, lists }: Notes): Promise<void> {
  while (!stop.aborted) {
    if (random() < 0.2) {
      const list = await listAll(() => pick(servers, random), random() < 0.5 ? PAGE : undefined);
      if (list !== undefined) lists.push(list);
      else await pause(AGAIN_MS);
      continue;
    }
    const one = await readOne(pick(keys, random), pick(servers, random));
    if (one !== undefined) reads.push(one);
    else await pause(AGAIN_MS);
  }
}

/**
 * Lists, watches, goes on where it was when the watch ends, perhaps at another server, and lists again when it is told
 * that it must. Ends once it has come to `end`, or is stopped.
 */
export async function watch(watcher: string, { servers, random, stop }: ClientOptions, end: Promise<number>, notes: Notes): Promise<void> {
  let last = Infinity;
  let goal = Infinity;
  void end.then((revision) => (goal = revision));
  const isDone = () => stop.aborted || (last !== Infinity && last >= goal);
  while (!isDone()) {
    const list = await listAll(() => pick(servers, random));
    if (list === undefined) {
      await pause(AGAIN_MS);
      continue;
    }
    notes.lists.push(list);
    const events: ObservedEvent[] = [];
    notes.spans.push({ watcher, from: list.revision, events });
    last = list.revision;
    for (let isExpired = false; !isExpired && !isDone();) {
      const stream = await openStream(pick(servers, random), last);
      if (stream === 'expired') break;
      if (stream === undefined) {
        await pause(AGAIN_MS);
        continue;
      }
      notes.opened++;
      const most = events.length + (servers.length > 1 ? EVENTS_PER_STREAM : Infinity);
      const error = await follow(stream, {
        isDone: () => isDone() || events.length >= most,
        tell: (event) => {
          events.push(event);
          last = Math.max(last, event.revision);
        },
      });
      stream.close();
      isExpired = error?.code === 410;
      if (error === undefined || isExpired) continue;
      notes.errors.push(`${watcher} was told ${JSON.stringify(error)}`);
      await pause(AGAIN_MS);
    }
    if (!isDone()) notes.expired.push(watcher);
  }
}

async function openStream({ api }: Server, from: number): Promise<WatchStream | 'expired' | undefined> {
  try {
    return await api.watch(`${COLLECTION}?watch=true&allowWatchBookmarks=true&resourceVersion=${from}`);
  } catch (error) {
    return error instanceof Error && / 410 /.test(error.message) ? 'expired' : undefined;
  }
}

interface Following {
  readonly isDone: () => boolean;
  readonly tell: (event: ObservedEvent) => void;
}

/** The status of the ERROR that ended it, if one did. */
async function follow(stream: WatchStream, { isDone, tell }: Following): Promise<{ readonly code: number } | undefined> {
  const over = new AbortController();
  void stream.ended.then(() => over.abort());
  while (!isDone()) {
    while (stream.pending().length === 0 && !over.signal.aborted && !isDone()) await pause(5);
    if (stream.pending().length === 0) break;
    const { type, object } = await stream.next();
    if (type === 'ERROR') return object as unknown as { code: number };
    const { name, resourceVersion } = object.metadata;
    tell({ type, key: type === 'BOOKMARK' ? '' : name, revision: Number(resourceVersion), mark: markOf(object), toldAt: now() });
  }
  return undefined;
}
