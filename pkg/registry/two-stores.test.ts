/** Two stores on one backend, each with a cache that may lag at any time, behave like a model with a single state. */
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { ObjectMeta } from '../apis/kind.ts';
import { FaultyBackend } from '../../test/registry/faulty-backend.ts';
import { MemoryBackend } from '../../test/registry/memory-backend.ts';
import { openTestRegistry, parse, plainDelete, sample, storeOf, write } from '../../test/registry/test-registry.ts';
import type { CurrentObject, ObjectBytes } from './object-store.ts';

const NAMESPACE = 'model';
const HOLD = 'example.com/hold';

type WriteCommand =
  | { readonly action: 'create'; readonly name: string; readonly label: string; readonly held: boolean }
  | {
      readonly action: 'replace';
      readonly name: string;
      readonly label: string;
      readonly held: boolean;
      readonly at: 'any' | 'now' | 'before';
    }
  | { readonly action: 'patch'; readonly name: string; readonly label: string; readonly held: boolean }
  | { readonly action: 'delete'; readonly name: string; readonly uid: 'any' | 'now' | 'before' };
type Command = { readonly action: 'hold' } | { readonly action: 'release' } | WriteCommand;

const name = fc.constantFrom('a', 'b');
const label = fc.constantFrom('x', 'y');
const held = fc.boolean();
const which = fc.constantFrom('any' as const, 'now' as const, 'before' as const);
const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.constantFrom<Command>({ action: 'hold' }, { action: 'release' }), weight: 1 },
  { arbitrary: fc.record({ action: fc.constant('create' as const), name, label, held }), weight: 3 },
  { arbitrary: fc.record({ action: fc.constant('replace' as const), name, label, held, at: which }), weight: 6 },
  { arbitrary: fc.record({ action: fc.constant('patch' as const), name, label, held }), weight: 4 },
  { arbitrary: fc.record({ action: fc.constant('delete' as const), name, uid: which }), weight: 3 },
);
const script = fc.array(fc.record({ server: fc.constantFrom(0, 1), command }), { minLength: 5, maxLength: 40 });

interface State {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly label: string;
  readonly held: boolean;
  readonly deleting: boolean;
}

/** The expected outcome or error, and the state after it. */
class Model {
  readonly #now = new Map<string, State>();
  /** Per name, the state before the last change, which a client may still have. */
  readonly #before = new Map<string, State>();

  seen(of: string, at: 'now' | 'before'): State | undefined {
    return (at === 'now' ? this.#now : this.#before).get(of);
  }

  expect(asked: WriteCommand): string {
    const state = this.#now.get(asked.name);
    if (asked.action === 'create') return state === undefined ? 'created' : 'AlreadyExists';
    if (asked.action === 'delete') {
      if (state === undefined) return 'NotFound';
      if (asked.uid !== 'any' && this.seen(asked.name, asked.uid)?.uid !== state.uid && this.seen(asked.name, asked.uid) !== undefined)
        return 'Conflict';
      return state.held ? 'held' : 'removed';
    }
    if (state === undefined) return 'NotFound';
    const sent = asked.action === 'patch' || asked.at === 'any' ? undefined : this.seen(asked.name, asked.at)?.resourceVersion;
    if (sent !== undefined && sent !== state.resourceVersion) return 'Conflict';
    if (state.deleting) {
      if (!asked.held) return 'removed';
      if (!state.held) return 'Invalid';
    }
    return state.label === asked.label && state.held === asked.held ? 'unchanged' : 'updated';
  }

  note(of: string, after: ObjectMeta | undefined): void {
    const state = this.#now.get(of);
    if (state !== undefined && state.resourceVersion !== after?.resourceVersion) this.#before.set(of, state);
    if (after === undefined) this.#now.delete(of);
    else {
      this.#now.set(of, {
        uid: after.uid ?? '',
        resourceVersion: after.resourceVersion ?? '',
        label: after.labels?.['l'] ?? '',
        held: (after.finalizers ?? []).length > 0,
        deleting: after.deletionTimestamp !== undefined,
      });
    }
  }
}

async function play(commands: readonly { readonly server: number; readonly command: Command }[]): Promise<void> {
  const backend = new MemoryBackend();
  const servers = await Promise.all(
    [0, 1].map(async () => {
      const faulty = new FaultyBackend(backend);
      const registry = await openTestRegistry(faulty);
      return { faulty, registry, store: storeOf(registry, 'CronJob') };
    }),
  );
  const model = new Model();
  try {
    for (const { server, command: asked } of commands) {
      const at = servers[server];
      if (at === undefined) throw new Error('no such server');
      if (asked.action === 'hold') at.faulty.holdWatch();
      else if (asked.action === 'release') at.faulty.releaseWatch();
      else {
        const expected = model.expect(asked);
        const answered = await perform(at.store, asked, model).catch((error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          return { outcome: error.reason, object: undefined };
        });
        expect({ asked, answered: answered.outcome }).toEqual({ asked, answered: expected });
        if (answered.outcome === 'removed') model.note(asked.name, undefined);
        else if (answered.object !== undefined) model.note(asked.name, parse(answered.object).metadata);
      }
    }
  } finally {
    for (const { faulty, registry } of servers) {
      faulty.releaseWatch();
      await registry.close();
    }
    await backend.close();
  }
}

function perform(
  store: ReturnType<typeof storeOf>,
  asked: WriteCommand,
  model: Model,
): Promise<{ readonly outcome: string; readonly object: ObjectBytes }> {
  const at = { namespace: NAMESPACE, name: asked.name };
  switch (asked.action) {
    case 'create':
      return store.create(NAMESPACE, body(asked), write);
    case 'replace': {
      const resourceVersion = asked.at === 'any' ? undefined : model.seen(asked.name, asked.at)?.resourceVersion;
      return store.replace(at, body(asked, resourceVersion), '', write);
    }
    case 'patch': {
      const { labels, finalizers } = body(asked).metadata;
      const patch = ({ object, revision }: CurrentObject) => {
        const { finalizers: _, ...metadata } = object.metadata;
        const held = finalizers === undefined ? {} : { finalizers };
        return { ...object, metadata: { ...metadata, ...held, ...(labels && { labels }), resourceVersion: String(revision) } };
      };
      return store.update(at, '', { by: 'patch', patch }, write);
    }
    case 'delete': {
      const uid = asked.uid === 'any' ? undefined : model.seen(asked.name, asked.uid)?.uid;
      return store.delete(at, { ...plainDelete, preconditions: uid === undefined ? {} : { uid } });
    }
    default:
      return asked satisfies never;
  }
}

const body = (asked: { readonly name: string; readonly label: string; readonly held: boolean }, resourceVersion?: string) =>
  sample('CronJob', {
    name: asked.name,
    labels: { l: asked.label },
    ...(asked.held ? { finalizers: [HOLD] } : {}),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });

describe('two stores over one backend', () => {
  it('answer every write as one store would, however far their caches are behind', async () => {
    await fc.assert(fc.asyncProperty(script, play), { numRuns: 150, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false });
  });
});
