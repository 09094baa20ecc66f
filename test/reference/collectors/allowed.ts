/** Whether the rules leave this of a script, in some order of events. */
import { OwnershipModel, type ModelObject, type ModelReference } from '../../controllers/ownership-model.ts';
import { createRandom } from '../../support/random.ts';
import { objectLine } from './play.ts';
import { HOLD, type CreateStep, type DeleteOptions, type OwnerChoice, type Script, type Step, wrongKind } from './script.ts';

/** Enough for any that is likely, and soon over. */
const MAX_ORDERS = 20_000;

export function isAllowed(script: Script, left: readonly string[]): boolean {
  const random = createRandom(1);
  const wanted = left.join('\n');
  for (let order = 0; order < MAX_ORDERS; order++) if (simulate(script, random).join('\n') === wanted) return true;
  return false;
}

interface Known {
  readonly step: CreateStep;
  readonly object: ModelObject;
}

/** The objects that one order leaves. */
function simulate(script: Script, random: () => number): readonly string[] {
  const model = new OwnershipModel(random);
  const newest = new Map<number, Known>();
  const counts = new Map<number, number>();
  const nameOf = (kind: string, object: number) => `${kind}/o${object}`;
  const kinds = new Map<string, string>();
  const reference = ({ to, wrong, blocks }: OwnerChoice): ModelReference => {
    const known = newest.get(to);
    const { kind = 'CronJob', place = 'home' } = known?.step ?? script.objects[to] ?? {};
    const named = wrong === 'kind' ? wrongKind(kind) : kind;
    return {
      uid: known === undefined || wrong === 'uid' ? `?o${to}` : known.object.uid,
      place: place === 'cluster' && wrong !== 'kind' ? 'cluster' : 'home',
      name: wrong === 'name' ? 'nobody' : nameOf(named, to),
      isUnserved: wrong === 'type',
      blocks: blocks === true,
    };
  };
  const create = (step: CreateStep) => {
    const name = nameOf(step.kind, step.object);
    if ([...model.objects.values()].some((each) => each.name === name && each.place === step.place)) return;
    const count = counts.get(step.object) ?? 0;
    counts.set(step.object, count + 1);
    const uid = `${step.object}#${count}`;
    kinds.set(uid, step.kind);
    model.create({ uid, place: step.place, name, owners: step.owners.map(reference), finalizers: step.finalizers });
    const object = model.objects.get(uid);
    if (object !== undefined) newest.set(step.object, { step, object });
  };
  const perform = (step: Step) => {
    if (step.does === 'create') {
      create(step);
      return;
    }
    if (step.does === 'delete namespace') throw new Error('the model has no namespaces');
    const known = newest.get(step.object);
    // As a client that names an object: the one that has the name by now.
    const named = [...model.objects.values()].find(({ name, place }) => name === known?.object.name && place === known.object.place);
    if (named === undefined) return;
    if (step.does === 'release') model.removeFinalizer(named, HOLD);
    else if (step.does === 'own') model.setOwners(named, step.owners.map(reference));
    else model.delete(named, policyOf(step.options));
  };
  const settle = () => {
    while (model.step());
  };
  for (const step of script.objects) {
    create(step);
    if (script.references !== 'right') settle();
    else while (random() < 0.5 && model.step());
  }
  settle();
  for (const step of script.steps) {
    perform(step);
    settle();
  }
  return [...model.objects.values()]
    .map(({ uid, owners, finalizers, isDeleting }) =>
      objectLine({ uid, kind: kinds.get(uid) ?? '', isDeleting, finalizers, owners: owners.map((owner) => owner.uid) }),
    )
    .sort();
}

function policyOf({ propagationPolicy, orphanDependents }: DeleteOptions): DeleteOptions['propagationPolicy'] {
  return orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
}
