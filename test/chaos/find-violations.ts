/**
 * Compares what clients saw with each other. The truth is what the watches told, all together: where they agree, where
 * it has every write that was acknowledged and none that was refused, and where each change follows the state that it
 * was meant for, it is what happened. Everything else that was seen must fit it. The collection was empty at first.
 */
import type { Evidence, Mark, ObservedEvent, ObservedRead, ObservedSpan, ObservedWrite } from './evidence.ts';

interface Happened {
  readonly type: string;
  readonly revision: number;
  readonly mark: Mark;
  readonly isDelete: boolean;
}

/** A sentence each. None: the store and its servers kept every promise. */
export function findViolations(evidence: Evidence): readonly string[] {
  const { truth, violations } = agree(evidence.spans);
  violations.push(
    ...evidence.errors,
    ...(evidence.compactions === 0 ? evidence.expired.map((watcher) => `${watcher} was told 410, and nothing was compacted`) : []),
    ...evidence.spans.flatMap((span) => checkSpan(span, truth, evidence.end)),
  );
  const gap = firstGap(evidence);
  // What nobody saw would show as lost writes, false reads and much else that is not.
  if (gap !== undefined) return [...violations, gap];
  const chains = toChains(truth);
  const knowledge = new Knowledge(evidence, chains);
  violations.push(
    ...[...chains].flatMap(([key, chain]) => checkChain(key, chain)),
    ...checkWrites(evidence.writes, chains),
    ...checkReads(evidence, chains, knowledge),
    ...checkLists(evidence, truth, knowledge),
    ...checkInformers(evidence, truth),
  );
  return violations;
}

type Truth = readonly ObservedEvent[];
type Chains = ReadonlyMap<string, readonly Happened[]>;

/** Every event by its revision, and who disagrees. */
function agree(spans: readonly ObservedSpan[]): { truth: Truth; violations: string[] } {
  const told = new Map<number, { readonly event: ObservedEvent; readonly watcher: string }>();
  const violations: string[] = [];
  for (const { watcher, events } of spans) {
    for (const event of events) {
      if (event.type === 'BOOKMARK') continue;
      const other = told.get(event.revision);
      if (other === undefined) told.set(event.revision, { event, watcher });
      else if (text(other.event) !== text(event))
        violations.push(`${watcher} was told ${text(event)}, and ${other.watcher} ${text(other.event)}`);
    }
  }
  const truth = [...told.values()].map(({ event }) => event).sort((a, b) => a.revision - b.revision);
  return { truth, violations };
}

/** All watches together must have seen everything from the first list to the end. */
function firstGap({ spans, end }: Evidence): string | undefined {
  const byBegin = spans
    .map(({ from, events }) => ({ from, to: events.reduce((last, { revision }) => Math.max(last, revision), from) }))
    .sort((a, b) => a.from - b.from);
  let seen = byBegin[0]?.from ?? 0;
  for (const { from, to } of byBegin) {
    if (from > seen) break;
    seen = Math.max(seen, to);
  }
  return seen < end ? `cannot be judged: all watches had lost their history after ${seen}, and the end is ${end}` : undefined;
}

const text = ({ type, key, revision, mark }: ObservedEvent): string => `${type} ${key} at ${revision} (${mark})`;

function toChains(truth: Truth): Chains {
  const chains = new Map<string, Happened[]>();
  for (const { key, revision, mark, type } of truth) {
    const happened = { type, revision, mark, isDelete: type === 'DELETED' };
    const chain = chains.get(key);
    if (chain === undefined) chains.set(key, [happened]);
    else chain.push(happened);
  }
  return chains;
}

/** In order, once, nothing left out, and as far as the end when it was the last of its watcher. */
function checkSpan({ watcher, from, events }: ObservedSpan, truth: Truth, end: number): string[] {
  const violations: string[] = [];
  let last = from;
  for (const event of events) {
    const isBookmark = event.type === 'BOOKMARK';
    if (isBookmark ? event.revision < last : event.revision <= last) violations.push(`${watcher} was told ${text(event)} behind ${last}`);
    last = Math.max(last, event.revision);
  }
  const seen = new Set(events.map(({ revision, key }) => `${revision} ${key}`));
  const missed = truth.filter(({ revision, key }) => revision > from && revision <= Math.min(last, end) && !seen.has(`${revision} ${key}`));
  violations.push(...missed.map((event) => `${watcher} was not told ${text(event)}, between ${from} and ${last}`));
  return violations;
}

/**
 * An object is added when it is not there, and changed or deleted when it is. A deleted one is shown as it last was.
 */
function checkChain(key: string, chain: readonly Happened[]): string[] {
  const violations: string[] = [];
  for (const [index, { type, revision, isDelete, mark }] of chain.entries()) {
    const before = chain[index - 1];
    if (!isDelete) {
      const isThere = before !== undefined && !before.isDelete;
      if (isThere !== (type === 'MODIFIED'))
        violations.push(`${key} was told as ${type} at ${revision} ${isThere ? 'while it was there' : 'without having been there'}`);
      continue;
    }
    if (before === undefined || before.isDelete) violations.push(`${key} was deleted at ${revision} while it was not there`);
    else if (before.mark !== mark) violations.push(`${key} was deleted at ${revision} as ${mark}, and had been ${before.mark}`);
  }
  return violations;
}

function checkWrites(writes: readonly ObservedWrite[], chains: Chains): string[] {
  const violations: string[] = [];
  for (const write of writes) {
    const chain = chains.get(write.key) ?? [];
    const at = effectOf(write, chain);
    const shown = `${write.does} of ${write.key} (${write.mark}, meant for ${write.base}, ${write.note})`;
    if (write.outcome === 'acknowledged' && at === -1) violations.push(`lost: the ${shown} was acknowledged at ${write.revision ?? '?'}`);
    if (write.outcome === 'refused' && at !== -1 && !writes.some((other) => isSameDelete(write, other)))
      violations.push(`a lie: the ${shown} was refused and happened`);
    if (write.outcome === 'acknowledged' && writes.some((other) => isSameDelete(write, other) && other.outcome === 'acknowledged'))
      violations.push(`a lie: the ${shown} was acknowledged, and so was another one`);
    if (at === -1) continue;
    const happened = chain[at];
    if (write.revision !== undefined && happened?.revision !== write.revision)
      violations.push(`a lie: the ${shown} was acknowledged at ${write.revision} and happened at ${happened?.revision ?? '?'}`);
    const before = chain[at - 1];
    const base = before === undefined || before.isDelete ? 0 : before.revision;
    if (base !== write.base) violations.push(`lost update: the ${shown} took the place of ${base}`);
    if (write.does !== 'delete' && chain.some(({ mark, isDelete }, index) => index !== at && !isDelete && mark === write.mark))
      violations.push(`doubled: the ${shown} happened twice`);
  }
  return violations;
}

/**
 * Where in the chain a write took effect, if it did; -1: nowhere. A delete leaves no mark: that of another one may be
 * taken for it.
 */
function effectOf({ does, mark, base }: ObservedWrite, chain: readonly Happened[]): number {
  if (does !== 'delete') return chain.findIndex((each) => !each.isDelete && each.mark === mark);
  const of = chain.findIndex(({ revision }) => revision === base);
  return of !== -1 && chain[of + 1]?.isDelete === true ? of + 1 : -1;
}

/** Another one that may have been what deleted it. */
const isSameDelete = (write: ObservedWrite, other: ObservedWrite): boolean =>
  other !== write &&
  other.does === 'delete' &&
  write.does === 'delete' &&
  other.key === write.key &&
  other.base === write.base &&
  other.outcome !== 'refused';

/** When anybody came to know that a revision had happened: by an acknowledgement, a read, a list or an event. */
class Knowledge {
  readonly #times: number[] = [];
  /** The newest revision that was known at the time of the same index. */
  readonly #newest: number[] = [];

  constructor({ writes, reads, lists, spans }: Evidence, chains: Chains) {
    const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');
    const known = [
      ...acknowledged.flatMap((write) => {
        const chain = chains.get(write.key) ?? [];
        const revision = chain[effectOf(write, chain)]?.revision;
        return revision === undefined ? [] : [{ revision, at: write.answeredAt }];
      }),
      ...reads.flatMap(({ state, answeredAt }) => (state === undefined ? [] : [{ revision: state.revision, at: answeredAt }])),
      ...lists.map(({ revision, answeredAt }) => ({ revision, at: answeredAt })),
      ...spans.flatMap(({ events }) => events.map(({ revision, toldAt }) => ({ revision, at: toldAt }))),
    ].sort((a, b) => a.at - b.at);
    let newest = 0;
    for (const { revision, at } of known) {
      if (revision <= newest) continue;
      newest = revision;
      this.#times.push(at);
      this.#newest.push(newest);
    }
  }

  /** What a read that was sent at `time` must not be older than. */
  before(time: number): number {
    const after = this.#times.findIndex((at) => at >= time);
    return this.#newest[(after === -1 ? this.#times.length : after) - 1] ?? 0;
  }
}

function checkReads({ reads }: Evidence, chains: Chains, knowledge: Knowledge): string[] {
  const violations: string[] = [];
  for (const read of reads) {
    const chain = chains.get(read.key) ?? [];
    const known = knowledge.before(read.sentAt);
    const least = chain.findLast(({ revision }) => revision <= known)?.revision ?? 0;
    const violation = checkRead(read, chain, least);
    if (violation !== undefined) violations.push(`${read.note} read ${read.key}: ${violation}`);
  }
  return violations;
}

function checkRead({ state }: ObservedRead, chain: readonly Happened[], least: number): string | undefined {
  if (state === undefined) {
    const wasAbsent = least === 0 || chain.some(({ isDelete, revision }) => isDelete && revision >= least);
    return wasAbsent ? undefined : `not found, after ${least} was known`;
  }
  if (!chain.some(({ revision, mark, isDelete }) => !isDelete && revision === state.revision && mark === state.mark))
    return `${state.mark} at ${state.revision}, which never was`;
  return state.revision < least ? `stale: ${state.revision}, after ${least} was known` : undefined;
}

function checkLists({ lists }: Evidence, truth: Truth, knowledge: Knowledge): string[] {
  const violations: string[] = [];
  for (const { sentAt, revision, laterRevisions, states, note } of lists) {
    const least = knowledge.before(sentAt);
    if (revision < least) violations.push(`${note} listed a stale state: ${revision}, after ${least} was known`);
    const other = laterRevisions.find((later) => later !== revision);
    if (other !== undefined) violations.push(`${note} listed at ${revision}, and on a later page at ${other}`);
    const difference = firstDifference(stateAt(truth, revision), new Map([...states].map(([key, state]) => [key, state.revision])));
    if (difference !== undefined) violations.push(`${note} listed at ${revision}: ${difference}`);
  }
  return violations;
}

/** The revision of each object that is there. */
function stateAt(truth: Truth, revision: number): Map<string, number> {
  const state = new Map<string, number>();
  for (const event of truth) {
    if (event.revision > revision) break;
    if (event.type === 'DELETED') state.delete(event.key);
    else state.set(event.key, event.revision);
  }
  return state;
}

function firstDifference(expected: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): string | undefined {
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    if (expected.get(key) !== actual.get(key))
      return `${key} at ${actual.get(key) ?? 'nothing'} instead of ${expected.get(key) ?? 'nothing'}`;
  }
  return undefined;
}

function checkInformers({ informers, end }: Evidence, truth: Truth): string[] {
  const violations: string[] = [];
  for (const { informer, told, cache } of informers) {
    const newest = new Map<string, number>();
    for (const { verb, key, revision } of told) {
      const before = newest.get(key) ?? 0;
      // A deletion that a new list shows is told with the state that was last known.
      if (verb === 'delete' ? revision < before : revision <= before)
        violations.push(`${informer} was told ${verb} ${key} at ${revision} after ${before}`);
      newest.set(key, Math.max(before, revision));
    }
    const difference = firstDifference(stateAt(truth, end), cache);
    if (difference !== undefined) violations.push(`${informer} holds ${difference}`);
  }
  return violations;
}
