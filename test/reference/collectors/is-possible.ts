/** Whether the rules give these answers to a script, and leave these objects of it, in some order of events. */
import { OwnershipModel, type ModelObject, type ModelReference } from '../../controllers/ownership-model.ts';
import { createRandom } from '../../support/random.ts';
import { objectLine, type Played } from './play.ts';
import { HOLD, type CreateStep, type DeleteOptions, type OwnerChoice, type Script, type Step, wrongKind } from './script.ts';

/** Enough for any that is likely, and soon over. */
const MAX_ORDERS = 20_000;

type End = Pick<Played, 'codes' | 'left'>;

export function isPossible(script: Script, { codes, left }: End): boolean {
  const random = createRandom(1);
  const wanted = JSON.stringify([codes, left]);
  for (let order = 0; order < MAX_ORDERS; order++) {
    const end = simulate(script, random);
    if (JSON.stringify([end.codes, end.left]) === wanted) return true;
  }
  return false;
}

interface Known {
  readonly step: CreateStep;
  readonly object: ModelObject;
}

/** What one order leads to. */
function simulate(script: Script, random: () => number): End {
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
  const codes: number[] = [];
  const create = (step: CreateStep): number => {
    const name = nameOf(step.kind, step.object);
    if ([...model.objects.values()].some((each) => each.name === name && each.place === step.place)) return 409;
    const count = counts.get(step.object) ?? 0;
    counts.set(step.object, count + 1);
    const uid = `${step.object}#${count}`;
    kinds.set(uid, step.kind);
    model.create({ uid, place: step.place, name, owners: step.owners.map(reference), finalizers: step.finalizers });
    const object = model.objects.get(uid);
    if (object !== undefined) newest.set(step.object, { step, object });
    return 201;
  };
  const perform = (step: Step): number => {
    if (step.does === 'create') return create(step);
    if (step.does === 'delete namespace') throw new Error('the model has no namespaces');
    const known = newest.get(step.object);
    if (known === undefined) return 0;
    // As a client that names an object: the one that has the name by now.
    const named = [...model.objects.values()].find(({ name, place }) => name === known.object.name && place === known.object.place);
    if (named === undefined) return 404;
    if (step.does === 'release') model.removeFinalizer(named, HOLD);
    else if (step.does === 'own') model.setOwners(named, step.owners.map(reference));
    else {
      model.delete(named, policyOf(step.options));
      if (step.options.orphanDependents === false && model.objects.has(named.uid)) return 202;
    }
    return 200;
  };
  const settle = () => {
    while (model.step());
  };
  for (const step of script.objects) {
    codes.push(create(step));
    if (script.references !== 'right') settle();
    else while (random() < 0.5 && model.step());
  }
  settle();
  for (const step of script.steps) {
    codes.push(perform(step));
    settle();
  }
  const left = [...model.objects.values()]
    .map(({ uid, owners, finalizers, isDeleting }) =>
      objectLine({ uid, kind: kinds.get(uid) ?? '', isDeleting, finalizers, owners: owners.map((owner) => owner.uid) }),
    )
    .sort();
  return { codes, left };
}

function policyOf({ propagationPolicy, orphanDependents }: DeleteOptions): DeleteOptions['propagationPolicy'] {
  return orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
}
