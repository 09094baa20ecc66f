import type { Draw } from '../draw.ts';
import { planDelete, planDeleteCollection, planUnserved } from './deletes.ts';
import { planApply, planJsonPatch, planMergePatch, planStrategicPatch } from './patches.ts';
import { planGet, planList } from './reads.ts';
import type { CaseState, PlannedRequest, Planner } from './request.ts';
import { planCreate, planUpdate } from './writes.ts';

const WHEN_EMPTY: readonly (readonly [weight: number, plan: Planner])[] = [
  [30, planCreate],
  [3, planApply],
  [2, planUpdate],
  [1, planGet],
  [1, planList],
  [1, planDelete],
  [1, planMergePatch],
  [1, planUnserved],
];

const WITH_OBJECTS: readonly (readonly [weight: number, plan: Planner])[] = [
  [8, planCreate],
  [20, planUpdate],
  [10, planApply],
  [8, planJsonPatch],
  [8, planMergePatch],
  [8, planStrategicPatch],
  [8, planGet],
  [10, planList],
  [6, planDelete],
  [3, planDeleteCollection],
  [1, planUnserved],
];

/** The next request of a case. */
export const chooseRequest = (draw: Draw, state: CaseState): PlannedRequest =>
  draw.weighted(state.objects.size === 0 ? WHEN_EMPTY : WITH_OBJECTS)(draw, state);
