/** A random history of a policy: objects come, change and go, and questions are asked in between. */
import { Draw } from '../draw.ts';
import { drawObject } from './draw-policy.ts';
import { drawAccess, drawGrant, drawRulesQuestion } from './draw-questions.ts';
import { keyOf, type Question, type RbacObject } from './policy.ts';

const ROUNDS = 5;
const FIRST_CHANGES = 24;
const LATER_CHANGES = 4;
const MISSED_CHANGES = 16;
const DECISIONS = 40;
const OTHERS = 3;

export interface Change {
  readonly object: RbacObject;
  readonly isRemoved: boolean;
}

export interface Round {
  readonly changes: readonly Change[];
  /** The changes were missed: the policy is read as it is now. */
  readonly isGap: boolean;
  /** After the changes. */
  readonly policy: readonly RbacObject[];
  readonly questions: readonly Question[];
}

export function* drawHistory(seed: string): Generator<Round> {
  const draw = new Draw(seed);
  const stored = new Map<string, RbacObject>();
  for (let round = 0; round < ROUNDS; round++) {
    const isGap = round > 0 && draw.chance(0.2);
    const count = isGap ? MISSED_CHANGES : LATER_CHANGES;
    const changes = drawChanges(draw, stored, round === 0 ? FIRST_CHANGES : count);
    const policy = [...stored.values()];
    const several = <T>(length: number, one: (draw: Draw, policy: readonly RbacObject[]) => T) =>
      Array.from({ length }, () => one(draw, policy));
    const questions = [...several(DECISIONS, drawAccess), ...several(OTHERS, drawRulesQuestion), ...several(OTHERS, drawGrant)];
    yield { changes, isGap, policy, questions };
  }
}

export function drawPolicy(draw: Draw, changes: number): readonly RbacObject[] {
  const stored = new Map<string, RbacObject>();
  drawChanges(draw, stored, changes);
  return [...stored.values()];
}

const drawChanges = (draw: Draw, stored: Map<string, RbacObject>, count: number): readonly Change[] =>
  Array.from({ length: count }, () => drawChange(draw, stored));

/** Made in `stored`. A binding of the same name may get another role, as if it were deleted and made again. */
function drawChange(draw: Draw, stored: Map<string, RbacObject>): Change {
  const isRemoved = stored.size > 0 && draw.chance(0.25);
  const object = isRemoved ? draw.pick([...stored.values()]) : drawObject(draw);
  if (isRemoved) stored.delete(keyOf(object));
  else stored.set(keyOf(object), object);
  return { object, isRemoved };
}
