/** A suite of tests that runs on either backend, against a server and a store of its own. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Api } from './api.ts';
import { startServer, type ServerProcess } from './server.ts';
import { BACKENDS, openTestStore, type BackendName, type TestStore } from './test-store.ts';

/** For suites that write objects of every kind: with it, the server writes the status of FlowSchemas. */
export const WITHOUT_FAIRNESS = { flags: ['--enable-priority-and-fairness=false'] };

export interface Suite extends Api {
  readonly backend: BackendName;
  readonly store: TestStore;
  /** The process that runs now. */
  readonly server: () => ServerProcess;
  /** Ends the server and starts another one on the same store. */
  readonly restart: (options?: { readonly port?: number }) => Promise<void>;
  /** Starts a server on the same store after the last one has ended by itself. */
  readonly revive: () => Promise<void>;
}

/** One server per file and backend, shared by all tests in `body`. */
export function describeServer(title: string, body: (suite: Suite) => void, { flags = [] }: { flags?: readonly string[] } = {}): void {
  describe.each(BACKENDS)(`${title} › on %s`, (backend) => {
    let store: TestStore | undefined;
    let server: ServerProcess | undefined;
    const running = (): ServerProcess => {
      if (server === undefined) throw new Error('the server is not running');
      return server;
    };
    const openStore = (): TestStore => {
      if (store === undefined) throw new Error('the store is not open');
      return store;
    };
    beforeAll(async () => {
      store = await openTestStore(backend);
      server = await startServer([...store.flags, ...flags]);
    }, 60_000);
    afterAll(async () => {
      try {
        await server?.stop();
      } finally {
        await store?.close();
      }
    }, 30_000);
    body({
      backend,
      get store() {
        return openStore();
      },
      get baseUrl() {
        return running().baseUrl;
      },
      server: running,
      restart: async (options) => {
        await running().stop();
        server = await startServer([...openStore().flags, ...flags], options);
      },
      revive: async () => {
        await running().ended;
        running().close();
        server = await startServer([...openStore().flags, ...flags]);
      },
      send: (...args) => running().send(...args),
      get: (...args) => running().get(...args),
      post: (...args) => running().post(...args),
      put: (...args) => running().put(...args),
      delete: (...args) => running().delete(...args),
      watch: (...args) => running().watch(...args),
      close: () => running().close(),
    });
  });
}
