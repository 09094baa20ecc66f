import { expect } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { applyStrategicMergePatch } from '../../pkg/fieldmanager/strategic-merge-patch/apply-strategic-merge-patch.ts';
import { shapeOfKind } from './kind-shape.ts';
import { runnerOf } from './vector.ts';

interface PatchVector {
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly expected?: JsonObject;
  readonly expectError?: boolean;
}

export const strategicMergePatch = runnerOf<PatchVector>(({ kind, original, patch, expected, expectError }) => {
  const apply = () => applyStrategicMergePatch(shapeOfKind(kind), original, patch);
  if (expectError === true) expect(apply).toThrow(StatusError);
  else expect(apply()).toEqual(expected);
});
