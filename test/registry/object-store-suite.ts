/** What an object store does, whatever backend it stands on. Each backend's test is one call. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Backend } from '../../pkg/storage/backend.ts';
import type { Registry } from '../../pkg/registry/registry.ts';
import { describeCreate } from './create-suite.ts';
import { describeDelete } from './delete-suite.ts';
import { describeExpiry, describeLostReplies, describeStaleCache } from './race-suite.ts';
import { describeReads } from './read-suite.ts';
import { describeReplace, describeStatus } from './replace-suite.ts';
import { describeLostRaces, describeUpdate } from './update-suite.ts';
import type { SuiteContext } from './suite-context.ts';
import { openTestRegistry, storeOf } from './test-registry.ts';

export interface OpenBackend {
  readonly backend: Backend;
  readonly close: () => Promise<void>;
}

export function describeObjectStore(name: string, open: () => Promise<OpenBackend>): void {
  describe(`object store on ${name}`, () => {
    let opened: OpenBackend;
    let registry: Registry;
    beforeAll(async () => {
      opened = await open();
      registry = await openTestRegistry(opened.backend);
    });
    afterAll(async () => {
      await registry.close();
      await opened.close();
    });
    const context: SuiteContext = {
      registry: () => registry,
      backend: () => opened.backend,
      store: (kind) => storeOf(registry, kind),
    };
    describeCreate(context);
    describeReplace(context);
    describeStatus(context);
    describeUpdate(context);
    describeLostRaces(context);
    describeDelete(context);
    describeReads(context);
    describeStaleCache(context);
    describeLostReplies(context);
    describeExpiry(context);
  });
}
