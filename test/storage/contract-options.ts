/** What a backend's test file gives to the suite, and the small helpers that its groups share. */
import { afterEach, beforeEach } from '@jest/globals';
import type { Backend, CommitResult, Revision } from '../../pkg/storage/backend.ts';
import { NO_REVISION } from '../../pkg/storage/backend.ts';
import { toKey, type Key } from '../../pkg/storage/keys.ts';

export interface OpenedBackend {
  readonly backend: Backend;
  /** Closes the backend and opens the same data again. The former backend is not used any more. */
  readonly reopen: () => Promise<Backend>;
  /** Closes whatever is open and removes the data. */
  readonly close: () => Promise<void>;
}

/** Opens a store that no other test uses: a fresh folder, or a fresh prefix. */
export type OpenBackend = () => Promise<OpenedBackend>;

/** What not every backend can do. A test that needs one is not registered without it, so nothing shows as skipped. */
export interface BackendCapabilities {
  /** A watch with nothing to tell says so: an empty batch, "complete up to here". */
  readonly progress: boolean;
  /** A value of this many bytes is refused as TooLarge. */
  readonly tooLargeValueBytes: number;
  /** A key of this many bytes is refused as TooLarge. Absent: the backend has no such limit. */
  readonly tooLargeKeyBytes?: number;
}

export interface Fixture {
  readonly backend: Backend;
  readonly reopen: () => Promise<Backend>;
  /** `name` under the folder that all keys of these tests share. */
  readonly key: (name: string) => Key;
  /** The whole of that folder, as bounds of a range. */
  readonly all: { readonly start: Key; readonly end: Key };
  /** Commits what must succeed. */
  readonly put: (name: string, value: Uint8Array | string, ifRevision?: Revision) => Promise<Revision>;
  readonly remove: (name: string, ifRevision: Revision) => Promise<Revision>;
}

const ROOT = '/suite/things/';

/** A fresh store around each test of the surrounding `describe`. */
export function useBackend(open: OpenBackend): () => Fixture {
  let opened: OpenedBackend | undefined;
  let backend: Backend | undefined;
  const current = (): { opened: OpenedBackend; backend: Backend } => {
    if (opened === undefined || backend === undefined) throw new Error('the store is open only while a test runs');
    return { opened, backend };
  };
  beforeEach(async () => {
    opened = await open();
    backend = opened.backend;
  });
  afterEach(async () => {
    await opened?.close();
    opened = backend = undefined;
  });
  const fixture: Fixture = {
    get backend() {
      return current().backend;
    },
    reopen: async () => {
      backend = await current().opened.reopen();
      return backend;
    },
    key: (name) => toKey(ROOT + name),
    all: { start: toKey(ROOT), end: toKey('/suite/things0') },
    put: async (name, value, ifRevision = NO_REVISION) =>
      committed(
        await current().backend.commit({
          key: toKey(ROOT + name),
          ifRevision,
          value: typeof value === 'string' ? Buffer.from(value) : value,
        }),
      ),
    remove: async (name, ifRevision) => committed(await current().backend.commit({ key: toKey(ROOT + name), ifRevision, value: null })),
  };
  return () => fixture;
}

export function committed(result: CommitResult): Revision {
  if (result.outcome !== 'committed') throw new Error(`expected a commit, got ${result.outcome}`, { cause: result });
  return result.revision;
}

/** What `promise` rejects with; an error of its own when it resolves. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('resolved, but should have been rejected'),
    (error: unknown) => error,
  );
