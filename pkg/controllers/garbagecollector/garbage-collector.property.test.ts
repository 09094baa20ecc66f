/** Whatever is done to random graphs of owners, what is left is what the rules leave in some order of events. */
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { OwnershipModel, type ModelObject, type ModelReference, type Place } from '../../../test/controllers/ownership-model.ts';
import { HOLD, OwnershipWorld } from '../../../test/controllers/ownership-world.ts';
import { MemoryBackend } from '../../../test/registry/memory-backend.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import { createRandom } from '../../../test/support/random.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isStatusError } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject } from '../../apis/kind.ts';

/** Orders that the model may take until it comes to the same end. */
const MAX_ORDERS = 5000;

interface Owner {
  readonly to: number;
  readonly wrong: 'no' | 'uid' | 'name' | 'type';
  readonly blocks: boolean;
}

type Command =
  | {
      readonly does: 'create';
      readonly object: number;
      readonly place: Place;
      readonly owners: readonly Owner[];
      readonly finalizers: readonly string[];
    }
  | { readonly does: 'own'; readonly object: number; readonly owners: readonly Owner[] }
  | { readonly does: 'delete'; readonly object: number; readonly policy: 'Foreground' | 'Background' | 'Orphan' | undefined }
  | { readonly does: 'release'; readonly object: number };

interface Move {
  readonly command: Command;
  /** Whether the collector comes to rest before the next one. */
  readonly settles: boolean;
}

const settles = fc.boolean();
const finalizers = fc.oneof({ arbitrary: fc.constant([]), weight: 5 }, fc.constantFrom([HOLD], ['orphan'], ['foregroundDeletion']));
const policy = fc.constantFrom(undefined, 'Foreground' as const, 'Foreground' as const, 'Background' as const, 'Orphan' as const);

/** `isRight`: all references are right when they are made, and objects are in one namespace. */
function movesOf(count: number, isRight: boolean): fc.Arbitrary<readonly Move[]> {
  const object = fc.nat(count - 1);
  const right = { arbitrary: fc.constant('no' as const), weight: 8 };
  const wrong = isRight ? fc.constant('no' as const) : fc.oneof(right, fc.constantFrom('uid' as const, 'name' as const, 'type' as const));
  const home = { arbitrary: fc.constant<Place>('home'), weight: 6 };
  const place = isRight ? fc.constant<Place>('home') : fc.oneof(home, fc.constantFrom<Place>('away', 'cluster'));
  const blocks = fc.oneof({ arbitrary: fc.constant(true), weight: 2 }, fc.constant(false));
  const owners = fc.uniqueArray(fc.record({ to: object, wrong, blocks }), { maxLength: 2, selector: ({ to }) => to });
  const create = (of: fc.Arbitrary<number>) => fc.record({ does: fc.constant('create' as const), object: of, place, owners, finalizers });
  const change: fc.Arbitrary<Command> = fc.oneof(
    { arbitrary: create(object), weight: 2 },
    { arbitrary: fc.record({ does: fc.constant('own' as const), object, owners }), weight: 4 },
    { arbitrary: fc.record({ does: fc.constant('delete' as const), object, policy }), weight: 4 },
    { arbitrary: fc.record({ does: fc.constant('release' as const), object }), weight: 1 },
  );
  const created = Array.from({ length: count }, (_, index) =>
    fc.record({ command: create(fc.constant(index)), settles: fc.constant(false) }),
  );
  const changes = fc.array(fc.record({ command: change, settles }), { minLength: 1, maxLength: 8 });
  return fc.tuple(fc.tuple(...created), changes).map(([first, then]) => [...first, ...then]);
}

const moves = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.boolean()).chain(([count, isRight]) => movesOf(count, isRight));

/** What was answered, and what is left: one text, to be compared. */
const outcome = (answers: readonly string[], left: readonly string[]): string => [...answers, ...left.toSorted()].join('\n');

const KIND = { home: 'ControllerRevision', away: 'ControllerRevision', cluster: 'VolumeAttachment' } as const;
const nameOf = (index: number) => `o${index}`;
/** Each object's uid in the model: which of its name it was. */
const uidOf = (index: number, count: number) => `${index}.${count}`;

/** The server's side. Objects are known by the uids of the model. */
class Server {
  readonly #world: OwnershipWorld;
  readonly #newest = new Map<number, KubernetesObject>();
  readonly #uids = new Map<string, string>();
  readonly answers: string[] = [];

  constructor(world: OwnershipWorld) {
    this.#world = world;
  }

  async perform(asked: Command): Promise<void> {
    try {
      await this.#try(asked);
      this.answers.push('OK');
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'AlreadyExists')) this.answers.push(error.reason);
      else throw error;
    }
  }

  async #try(asked: Command): Promise<void> {
    if (asked.does === 'create') {
      const { place: at, finalizers: held } = asked;
      const created = await this.#world.create(nameOf(asked.object), {
        kind: KIND[at],
        namespace: at,
        finalizers: held,
        owners: asked.owners.map((each) => this.#reference(each)),
      });
      this.#uids.set(created.metadata.uid ?? '', uidOf(asked.object, this.#countOf(asked.object)));
      this.#newest.set(asked.object, created);
      return;
    }
    const found = this.#newest.get(asked.object);
    if (found === undefined) return;
    if (asked.does === 'delete') await this.#world.delete(found, asked.policy);
    else if (asked.does === 'release') await this.#world.release(found);
    else
      await this.#world.setOwners(
        found,
        asked.owners.map((each) => this.#reference(each)),
      );
  }

  #countOf(index: number): number {
    return [...this.#uids.values()].filter((uid) => uid.startsWith(`${index}.`)).length;
  }

  #reference({ to, wrong, blocks }: Owner): JsonObject {
    const found = this.#newest.get(to);
    const kind = found?.kind ?? KIND.home;
    const apiVersion = kind === KIND.cluster ? 'storage.example.io/v1' : 'apps/v1';
    return {
      ...(wrong === 'type' ? { kind: 'Widget', apiVersion: 'example.com/v1' } : { kind, apiVersion }),
      name: wrong === 'name' ? 'nobody' : nameOf(to),
      uid: found === undefined || wrong === 'uid' ? `nobody-${to}` : (found.metadata.uid ?? ''),
      blockOwnerDeletion: blocks,
    };
  }

  async left(): Promise<readonly string[]> {
    const all = await Promise.all([KIND.home, KIND.cluster].map((kind) => this.#world.list(kind)));
    return all.flat().map(({ metadata: { uid = '', ownerReferences = [], finalizers: held = [], deletionTimestamp } }) =>
      describeLeft(
        this.#uids.get(uid) ?? uid,
        ownerReferences.map(({ uid: owner }) => (typeof owner === 'string' ? (this.#uids.get(owner) ?? owner) : '')),
        held,
        deletionTimestamp !== undefined,
      ),
    );
  }
}

const describeLeft = (uid: string, ownerUids: readonly string[], held: readonly string[], isDeleting: boolean): string =>
  `${uid}${isDeleting ? ' deleting' : ''} owners ${ownerUids.join(' ')} finalizers ${held.join(' ')}`;

async function play(all: readonly Move[]): Promise<string> {
  const backend = new MemoryBackend();
  const world = await OwnershipWorld.open(backend);
  try {
    const server = new Server(world);
    for (const { command: asked, settles } of all) {
      await server.perform(asked);
      if (settles) await world.settle();
    }
    await world.settle();
    return outcome(server.answers, await server.left());
  } finally {
    await world.close();
    await backend.close();
  }
}

/** One end that the rules allow. */
function simulate(all: readonly Move[], random: () => number): string {
  const model = new OwnershipModel(random);
  const newest = new Map<number, ModelObject>();
  const counts = new Map<number, number>();
  const answers: string[] = [];
  const reference = ({ to, wrong, blocks }: Owner): ModelReference => {
    const found = newest.get(to);
    return {
      uid: found === undefined || wrong === 'uid' ? `nobody-${to}` : found.uid,
      place: found?.place === 'cluster' ? 'cluster' : 'home',
      name: wrong === 'name' ? 'nobody' : nameOf(to),
      isUnserved: wrong === 'type',
      blocks,
    };
  };
  const settle = () => {
    while (model.step());
  };
  const perform = (asked: Command): string => {
    if (asked.does === 'create') {
      const name = nameOf(asked.object);
      const isTaken = [...model.objects.values()].some((each) => each.name === name && each.place === asked.place);
      if (isTaken) return 'AlreadyExists';
      const count = counts.get(asked.object) ?? 0;
      counts.set(asked.object, count + 1);
      const uid = uidOf(asked.object, count);
      model.create({ uid, place: asked.place, name, owners: asked.owners.map(reference), finalizers: asked.finalizers });
      const created = model.objects.get(uid);
      if (created !== undefined) newest.set(asked.object, created);
      return 'OK';
    }
    const found = newest.get(asked.object);
    if (found === undefined) return 'OK';
    if (!model.objects.has(found.uid)) return 'NotFound';
    if (asked.does === 'delete') model.delete(found, asked.policy);
    else if (asked.does === 'release') model.removeFinalizer(found, HOLD);
    else model.setOwners(found, asked.owners.map(reference));
    return 'OK';
  };
  for (const { command: asked, settles } of all) {
    answers.push(perform(asked));
    if (settles) settle();
    else while (random() < 0.5 && model.step());
  }
  settle();
  return outcome(
    answers,
    [...model.objects.values()].map(({ uid, owners: references, finalizers: held, isDeleting }) =>
      describeLeft(
        uid,
        references.map((each) => each.uid),
        held,
        isDeleting,
      ),
    ),
  );
}

it(
  'What is left is what the rules leave in some order.',
  async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const actual = await play(all);
        const random = createRandom(1);
        const seen = new Set<string>();
        for (let order = 0; order < MAX_ORDERS; order++) {
          const expected = simulate(all, random);
          if (expected === actual) return;
          seen.add(expected);
        }
        expect([...seen].slice(0, 5)).toContain(actual);
      }),
      propertyRuns(60),
    );
  },
  propertyTimeoutMs,
);
