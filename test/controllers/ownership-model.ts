/**
 * What becomes of objects that own each other, by the rules of Kubernetes' garbage collector in their plainest form:
 * a map of objects, and a set of those to look at. Nothing is counted or remembered, and dependents are searched for.
 * Which object is looked at next is drawn by lot, since the order may decide what is left.
 */
export type Place = 'home' | 'away' | 'cluster';

export interface ModelReference {
  readonly uid: string;
  readonly place: Place;
  readonly name: string;
  /** Of a kind that is not served. */
  readonly isUnserved: boolean;
  readonly blocks: boolean;
}

export interface ModelObject {
  readonly uid: string;
  readonly place: Place;
  readonly name: string;
  owners: readonly ModelReference[];
  finalizers: readonly string[];
  isDeleting: boolean;
  /** It waits for its dependents, or did once: Kubernetes does not forget it. */
  hasWaited: boolean;
  isUndecided: boolean;
}

export type Policy = 'Foreground' | 'Background' | 'Orphan' | undefined;

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

type Task = `look at ${string}` | `orphan ${string}`;

const waitsForDependents = ({ isDeleting, finalizers }: Pick<ModelObject, 'isDeleting' | 'finalizers'>): boolean =>
  isDeleting && finalizers.includes(FOREGROUND);
const orphansDependents = ({ isDeleting, finalizers }: Pick<ModelObject, 'isDeleting' | 'finalizers'>): boolean =>
  isDeleting && finalizers.includes(ORPHAN);

export class OwnershipModel {
  readonly objects = new Map<string, ModelObject>();
  readonly #tasks = new Set<Task>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  create(object: Pick<ModelObject, 'uid' | 'place' | 'name' | 'owners' | 'finalizers'>): void {
    const created = { ...object, isDeleting: false, hasWaited: false, isUndecided: false };
    this.objects.set(object.uid, created);
    this.#added(created, created.owners);
  }

  setOwners(object: ModelObject, owners: readonly ModelReference[]): void {
    const before = object.owners;
    object.owners = owners;
    for (const { uid, blocks } of before) {
      if (blocks && !owners.some((owner) => owner.uid === uid && owner.blocks)) this.#tasks.add(`look at ${uid}`);
    }
    // An owner that is named twice is a new one each time.
    const known = new Set(before.map(({ uid }) => uid));
    this.#added(
      object,
      owners.filter(({ uid }) => !known.delete(uid)),
    );
    if (object.isUndecided) this.#tasks.add(`look at ${object.uid}`);
    object.isUndecided = false;
  }

  delete(object: ModelObject, policy: Policy): void {
    const before = { ...object };
    const others = object.finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
    const kept = object.finalizers.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
    const own = policy === undefined ? kept : policy === 'Orphan' ? ORPHAN : policy === 'Foreground' ? FOREGROUND : undefined;
    const finalizers = own === undefined ? others : [...others, own];
    if (finalizers.length === 0) {
      this.#remove(object);
      return;
    }
    object.isDeleting = true;
    object.finalizers = finalizers;
    if (waitsForDependents(object) && !waitsForDependents(before)) {
      object.hasWaited = true;
      for (const { uid } of this.#dependentsOf(object.uid)) this.#tasks.add(`look at ${uid}`);
      this.#tasks.add(`look at ${object.uid}`);
    }
    if (orphansDependents(object) && !orphansDependents(before)) this.#tasks.add(`orphan ${object.uid}`);
  }

  removeFinalizer(object: ModelObject, finalizer: string): void {
    object.finalizers = object.finalizers.filter((each) => each !== finalizer);
    if (object.isDeleting && object.finalizers.length === 0) this.#remove(object);
  }

  /** Looks at one object. False: there was none. */
  step(): boolean {
    const tasks = [...this.#tasks];
    const task = tasks[Math.floor(this.#random() * tasks.length)];
    if (task === undefined) return false;
    this.#tasks.delete(task);
    const object = this.objects.get(task.replace(/^(look at|orphan) /, ''));
    if (object === undefined) return true;
    if (task.startsWith('orphan')) this.#orphan(object);
    else this.#lookAt(object);
    return true;
  }

  #added(object: ModelObject, owners: readonly ModelReference[]): void {
    if (owners.some((owner) => !owner.isUnserved && this.#find(object, owner) === undefined)) this.#tasks.add(`look at ${object.uid}`);
  }

  /** The owner, if it is what the reference says. */
  #find({ place }: ModelObject, reference: ModelReference): ModelObject | undefined {
    const owner = this.objects.get(reference.uid);
    if (owner === undefined || owner.name !== reference.name || owner.place !== (reference.place === 'cluster' ? 'cluster' : place)) {
      return undefined;
    }
    return owner;
  }

  #dependentsOf(uid: string): readonly ModelObject[] {
    return [...this.objects.values()].filter(({ owners }) => owners.some((owner) => owner.uid === uid));
  }

  #remove(object: ModelObject): void {
    this.objects.delete(object.uid);
    for (const { uid } of this.#dependentsOf(object.uid)) this.#tasks.add(`look at ${uid}`);
    for (const { uid } of object.owners) {
      const owner = this.objects.get(uid);
      if (owner !== undefined && waitsForDependents(owner)) this.#tasks.add(`look at ${uid}`);
    }
  }

  #orphan(object: ModelObject): void {
    if (!orphansDependents(object)) return;
    for (const dependent of this.#dependentsOf(object.uid)) {
      this.setOwners(
        dependent,
        dependent.owners.filter(({ uid }) => uid !== object.uid),
      );
    }
    this.removeFinalizer(object, ORPHAN);
  }

  #lookAt(object: ModelObject): void {
    if (waitsForDependents(object)) {
      const blockers = this.#dependentsOf(object.uid).filter(({ owners }) =>
        owners.some(({ uid, blocks }) => uid === object.uid && blocks),
      );
      for (const blocker of blockers) if (!blocker.hasWaited) this.#tasks.add(`look at ${blocker.uid}`);
      if (blockers.length === 0) this.removeFinalizer(object, FOREGROUND);
      return;
    }
    if (object.isDeleting || object.owners.length === 0) return;
    const isStrange = (owner: ModelReference) => owner.isUnserved || (owner.place !== 'cluster' && object.place === 'cluster');
    const strange = object.owners.find(isStrange);
    if (strange !== undefined) {
      object.isUndecided = strange.isUnserved;
      return;
    }
    const found = object.owners.map((owner) => ({ uid: owner.uid, object: this.#find(object, owner) }));
    const gone = found.filter(({ object: owner }) => owner === undefined || waitsForDependents(owner)).map(({ uid }) => uid);
    if (gone.length < found.length) {
      if (gone.length > 0) {
        this.setOwners(
          object,
          object.owners.filter(({ uid }) => !gone.includes(uid)),
        );
      }
      return;
    }
    const dependents = this.#dependentsOf(object.uid);
    if (found.some(({ object: owner }) => owner !== undefined) && dependents.length > 0) {
      if (dependents.some(({ hasWaited }) => hasWaited) && object.owners.some(({ blocks }) => blocks)) {
        this.setOwners(
          object,
          object.owners.map((owner) => ({ ...owner, blocks: false })),
        );
        // The owners that it blocked may go on before it is looked at again.
        this.#tasks.add(`look at ${object.uid}`);
        return;
      }
      this.delete(object, 'Foreground');
      return;
    }
    this.delete(object, undefined);
  }
}
