/** What happens to a collection: random steps, and what each does and checks. */
import fc from 'fast-check';
import type { CheckedCollection, Precondition, Version, Write } from './checked-collection.ts';
import { deleteCollection, type CollectionDelete } from './checked-delete.ts';
import { askList, checkGet, continueWalk, type At, type ListQuery, type Walk } from './checked-list.ts';
import { CheckedWatch, type Begin, type CheckedWatchOptions } from './checked-watch.ts';
import { NAMES, TIERS, selectedDraft, selections } from './selections.ts';

export type Step =
  | Write
  | { readonly do: 'burst'; readonly writes: readonly Write[]; readonly lists: readonly ListQuery[]; readonly watch: CheckedWatchOptions }
  | ({ readonly do: 'delete collection' } & CollectionDelete)
  | { readonly do: 'get'; readonly space: 0 | 1; readonly name: string; readonly at: At }
  | ({ readonly do: 'list' } & ListQuery)
  | { readonly do: 'next page'; readonly which: number }
  | ({ readonly do: 'watch' } & CheckedWatchOptions)
  | { readonly do: 'end watch'; readonly which: number };

const MAX_WATCHES = 12;

const place = { space: fc.constantFrom(0 as const, 0 as const, 1 as const), name: fc.constantFrom(...NAMES) };
const draft = {
  tier: fc.constantFrom(undefined, ...TIERS),
  urgent: fc.boolean(),
  held: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
};
const dry = fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const version = fc.constantFrom<Version>('none', 'none', 'right', 'right', 'stale');

const writes: fc.Arbitrary<Write> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('create' as const), dry, ...place, ...draft }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      version: fc.oneof(version, fc.constant('same' as const)),
      dry,
      ...place,
      ...draft,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('patch' as const), version, dry, ...place, ...draft }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      precondition: fc.constantFrom<Precondition>('none', 'none', 'uid', 'other uid', 'right', 'stale'),
      dry,
      ...place,
    }),
  },
);

const back = fc.oneof(fc.nat(3), fc.nat(20));
const ats: fc.Arbitrary<At> = fc.oneof(
  fc.record({ is: fc.constantFrom('unset' as const, 'zero' as const, 'zero not older' as const) }),
  fc.record({ is: fc.constantFrom('exact' as const, 'not older' as const, 'legacy' as const), back }),
);
const lists: fc.Arbitrary<ListQuery> = fc.record({ selection: selections, at: ats, limit: fc.constantFrom(0, 1, 2, 3) });

const watchesThat = (begins: fc.Arbitrary<Begin>): fc.Arbitrary<CheckedWatchOptions> =>
  fc.record({
    selection: selections,
    begin: begins,
    bookmarks: fc.boolean(),
    byPath: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    partial: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    brief: fc.oneof({ weight: 40, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });
const list = fc.constant<Begin>({ is: 'list' });
const begins: fc.Arbitrary<Begin> = fc.oneof(
  list,
  fc.record({ is: fc.constantFrom('unset' as const, 'zero' as const) }),
  fc.record({ is: fc.constant('list from' as const), back }),
  { weight: 3, arbitrary: fc.record({ is: fc.constant('after' as const), back }) },
);

const burst = fc.record({
  do: fc.constant('burst' as const),
  writes: fc.uniqueArray(writes, { minLength: 2, maxLength: 6, selector: (write) => `${write.space}/${write.name}` }),
  lists: fc.array(fc.record({ selection: selections, at: fc.constant<At>({ is: 'unset' }), limit: fc.constantFrom(0, 2) }), {
    maxLength: 3,
  }),
  watch: watchesThat(list),
});

export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: writes },
  { weight: 3, arbitrary: burst },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete collection' as const),
      space: place.space,
      // Mostly all there is: a page of one behind which nothing is left shows little.
      selection: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: selections }),
      limit: fc.constantFrom(0, 1, 1, 2),
      dry,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('get' as const), ...place, at: ats }) },
  { weight: 4, arbitrary: lists.map((query) => ({ do: 'list' as const, ...query })) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('next page' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: watchesThat(begins).map((options) => ({ do: 'watch' as const, ...options })) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end watch' as const), which: fc.nat() }) },
);

/** Takes the steps one after the other. Throws at the first difference. */
export class Story {
  readonly #collection: CheckedCollection;
  readonly #walks: Walk[] = [];
  readonly #watches: CheckedWatch[] = [];

  constructor(collection: CheckedCollection) {
    this.#collection = collection;
  }

  async take(step: Step): Promise<void> {
    const collection = this.#collection;
    switch (step.do) {
      case 'burst':
        return this.#burst(step);
      case 'delete collection':
        return deleteCollection(collection, step);
      case 'get':
        return checkGet(collection, step, step.at);
      case 'list':
        this.#keep((await askList(collection, step)).checkIn(collection));
        return;
      case 'next page': {
        const [walk] = this.#walks.splice(step.which % Math.max(1, this.#walks.length), 1);
        if (walk !== undefined) this.#keep(await continueWalk(collection, walk));
        return;
      }
      case 'watch':
        if (this.#watches.length < MAX_WATCHES) this.#watches.push(await CheckedWatch.open(collection, step));
        return;
      case 'end watch': {
        const [watch] = this.#watches.splice(step.which % Math.max(1, this.#watches.length), 1);
        await (watch?.brief === true ? watch.checkEnd() : watch?.check());
        watch?.close();
        return;
      }
      case 'create':
      case 'replace':
      case 'patch':
      case 'delete':
        return collection.write(step);
      default:
        return step satisfies never;
    }
  }

  /** Walks to the end of every list. Then each watch is shown one more change, behind which nothing may be left. */
  async finish(): Promise<void> {
    for (let walk = this.#walks.pop(); walk !== undefined; walk = this.#walks.pop()) this.#keep(await continueWalk(this.#collection, walk));
    for (const { selection } of this.#watches) {
      const selected = selectedDraft(selection);
      const isThere = this.#collection.stored(selected) !== undefined;
      await this.#collection.write(
        isThere ? { do: 'patch', version: 'none', dry: false, ...selected } : { do: 'create', dry: false, ...selected },
      );
    }
    for (const watch of this.#watches) if (!watch.brief) await watch.check();
    for (const watch of this.#watches) if (watch.brief) await watch.checkEnd();
  }

  close(): void {
    for (const watch of this.#watches) watch.close();
    this.#collection.close();
  }

  #keep(walk: Walk | undefined): void {
    if (walk !== undefined) this.#walks.push(walk);
  }

  async #burst({ writes: all, lists: queries, watch }: Extract<Step, { do: 'burst' }>): Promise<void> {
    const collection = this.#collection;
    const answers: Awaited<ReturnType<typeof askList>>[] = [];
    await collection.writeWhile(all, async () => {
      const opening = this.#watches.length < MAX_WATCHES ? CheckedWatch.open(collection, watch) : undefined;
      answers.push(...(await Promise.all(queries.map((query) => askList(collection, query)))));
      const opened = await opening;
      if (opened !== undefined) this.#watches.push(opened);
    });
    for (const answer of answers) this.#keep(answer.checkIn(collection));
  }
}
