import { expect } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { createStrategicMergePatch } from '../fieldmanager/create-strategic-merge-patch.ts';
import { shapeOfKind } from './kind-shape.ts';
import { runnerOf } from './vector.ts';

interface PatchCreateVector {
  readonly kind: string;
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly expectedPatch?: JsonObject;
  readonly expectError?: boolean;
}

export const strategicMergePatchCreate = runnerOf<PatchCreateVector>(({ kind, original, modified, expectedPatch, expectError }) => {
  const create = () => createStrategicMergePatch(shapeOfKind(kind), original, modified);
  if (expectError === true) expect(create).toThrow(StatusError);
  else expect(create()).toEqual(expectedPatch);
});
