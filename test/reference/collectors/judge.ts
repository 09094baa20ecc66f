/** Whether a server did with a script what Kubernetes does with it. */
import { isPossible } from './is-possible.ts';
import type { Played } from './play.ts';
import type { Script } from './script.ts';

/** What both did with a script, each time that it was played. */
export interface Outcomes {
  readonly script: Script;
  readonly expected: readonly Played[];
  readonly actual: readonly Played[];
}

/**
 * `seen`: Kubernetes did each of ours, too. `possible`: it did not, and the rules leave each in some order of events.
 * Two controllers that are both right may hurry differently, and then each always ends in its own way.
 */
export type Verdict = 'seen' | 'possible' | 'different';

export function judge({ script, expected, actual }: Outcomes): Verdict {
  const seen = new Set(expected.map(textOf));
  const unseen = actual.filter((played) => !seen.has(textOf(played)));
  if (unseen.length === 0) return 'seen';
  // The model has no namespaces.
  if (script.references === 'namespace') return 'different';
  const events = new Set(expected.flatMap((played) => played.events));
  const isExplained = (played: Played) =>
    expected.some(({ namespaces }) => String(namespaces) === String(played.namespaces)) &&
    played.events.every((event) => events.has(event) || isOfLaterReference(script, event)) &&
    isPossible(script, played);
  // What Kubernetes did is asked for as well: a model that does not leave it is wrong, and says nothing.
  return unseen.every(isExplained) && expected.every((played) => isPossible(script, played)) ? 'possible' : 'different';
}

/**
 * Whether an Event tells of an owner that is in another place indeed, and is named behind another one. Kubernetes stops
 * at the first reference that does not fit what it has heard of the owner, be it only from another reference.
 */
function isOfLaterReference({ objects, steps }: Script, event: string): boolean {
  const [, dependent, owner] = /^Warning OwnerRefInvalidNamespace of \S*?o(\d+): .* uid: (\d+)#\d+\]/.exec(event) ?? [];
  if (dependent === undefined || owner === undefined) return false;
  const placeOf = (index: string) => objects[Number(index)]?.place;
  if (placeOf(owner) === placeOf(dependent)) return false;
  return [...objects, ...steps].some(
    (step) =>
      (step.does === 'create' || step.does === 'own') &&
      step.object === Number(dependent) &&
      step.owners.slice(1).some(({ to }) => to === Number(owner)),
  );
}

const textOf = (played: Played): string => JSON.stringify(played);
