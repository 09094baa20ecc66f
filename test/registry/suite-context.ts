/** What the parts of the object store's suite share. */
import { expect } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import type { ObjectStore } from '../../pkg/registry/object-store.ts';
import type { Registry } from '../../pkg/registry/registry.ts';

export interface SuiteContext {
  readonly registry: () => Registry;
  readonly backend: () => Backend;
  readonly store: (kind: string) => ObjectStore;
}

export const withMeta = (object: KubernetesObject, metadata: JsonObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

/** A StatusError of this reason. */
export const reason = (expected: string): unknown => expect.objectContaining({ reason: expected });
