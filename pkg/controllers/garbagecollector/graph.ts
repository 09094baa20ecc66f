/**
 * Who owns whom: a node for each object that has owners or dependents, and for each uid that is referred to. Follows
 * the watch cache and tells what has to be looked at, by the rules of Kubernetes' graph builder. It decides nothing:
 * whether an owner exists is verified later, against fresh state.
 *
 * A node costs memory, so an object that has neither owners nor dependents has none.
 */
import { isDeletingDependents, isOrphaningDependents, type OwnerReference, type Ownership } from './ownership.ts';

/** Where an object is. `Resource` is opaque to the graph. */
export interface ObjectPlace<Resource> {
  readonly resource: Resource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

export interface LocatedObject<Resource> extends ObjectPlace<Resource> {
  readonly uid: string;
}

/**
 * Where the object of a reference must be. `unknown`: its kind is not served or its name is not valid, so nobody knows
 * whether it exists. `impossible`: the kind is namespaced, and the dependent is cluster-scoped.
 */
export type Target<Resource> = ObjectPlace<Resource> | 'unknown' | 'impossible';

export interface GraphListener<Resource> {
  /** The object may have to be deleted, or may have no dependents left to wait for. */
  attemptToDelete(uid: string): void;
  /** The dependents of the object may have to be deleted, and then the object itself, if it waits for that. */
  attemptToDeleteDependents(uid: string): void;
  /** The dependents of the object have to be orphaned. */
  attemptToOrphan(uid: string): void;
  /** The owners are not where the references say. They may be somewhere else. */
  ownersElsewhere(dependent: LocatedObject<Resource>, references: readonly OwnerReference[]): void;
}

export interface GraphOptions<Resource> {
  /** Where the owner must be, as a dependent in `namespace` sees it. */
  readonly locate: (reference: OwnerReference, namespace: string) => Target<Resource>;
  /** The uid of the object that the cache has there. */
  readonly uidAt: (location: ObjectPlace<Resource>) => string | undefined;
  readonly listener: GraphListener<Resource>;
}

const NONE: readonly never[] = [];

/** Only the graph writes it. */
export class GraphNode<Resource> {
  readonly uid: string;
  /** Undefined: no object with this uid is known. */
  resource: Resource | undefined;
  namespace = '';
  name = '';
  /** In the order of the references, each once. */
  owners: readonly GraphNode<Resource>[] = NONE;
  /** The owners whose deletion it blocks, in the same order: often the same array, or empty. */
  blocked: readonly GraphNode<Resource>[] = NONE;
  /** Absent: none yet. */
  dependents: Set<GraphNode<Resource>> | undefined;
  /** The number of dependents that block its deletion. */
  blockers = 0;
  /** Dependents that began to block it while it waits for its dependents. */
  newBlockers: GraphNode<Resource>[] | undefined;
  /** It waits for its dependents, or has waited for them: as in Kubernetes this stays until it is gone. */
  isDeletingDependents = false;
  isOrphaningDependents = false;
  /** It cannot be judged. It is looked at again when its references change. */
  isUndecided = false;

  constructor(uid: string) {
    this.uid = uid;
  }
}

export class DependencyGraph<Resource> {
  readonly #options: GraphOptions<Resource>;
  readonly #nodes = new Map<string, GraphNode<Resource>>();

  constructor(options: GraphOptions<Resource>) {
    this.#options = options;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode<Resource> | undefined {
    return this.#nodes.get(uid);
  }

  /** The object as it is now. `previous`: before this change; undefined if that is not known. */
  observe(object: LocatedObject<Resource>, now: Ownership, previous: () => Ownership | undefined): void {
    const { uid } = object;
    const isWaiting = isDeletingDependents(now) || isOrphaningDependents(now);
    let node = this.#nodes.get(uid);
    if (node === undefined) {
      if (now.ownerReferences.length === 0 && !isWaiting) return;
      node = this.#create(uid);
    }
    setLocation(node, object);
    node.isDeletingDependents ||= isDeletingDependents(now);
    node.isOrphaningDependents = isOrphaningDependents(now);
    this.#setOwners(node, now.ownerReferences, previous);
    if (isWaiting) this.#tellTransition(node, previous());
    this.#dropIfUnneeded(node);
  }

  /** The object does not exist any more. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    const { listener } = this.#options;
    const { owners } = node;
    node.resource = undefined;
    node.isDeletingDependents = false;
    node.isOrphaningDependents = false;
    node.newBlockers = undefined;
    this.#setOwners(node, [], () => undefined);
    for (const owner of owners) if (owner.isDeletingDependents) listener.attemptToDelete(owner.uid);
    if (hasDependents(node)) listener.attemptToDeleteDependents(uid);
    this.#dropIfUnneeded(node);
  }

  /** The dependents that began to block the node since the last call. */
  takeNewBlockers(node: GraphNode<Resource>): readonly GraphNode<Resource>[] {
    const { newBlockers = [] } = node;
    node.newBlockers = undefined;
    return newBlockers;
  }

  markUndecided(node: GraphNode<Resource>): void {
    node.isUndecided = true;
  }

  /** The object of `uid` was found where nobody expected it. */
  locate(object: LocatedObject<Resource>): void {
    const node = this.#nodes.get(object.uid);
    if (node !== undefined && node.resource === undefined) setLocation(node, object);
  }

  /** Only the begin of waiting is told. What waits already was told, or did what it could. */
  #tellTransition(node: GraphNode<Resource>, previous: Ownership | undefined): void {
    const { listener } = this.#options;
    if (node.isOrphaningDependents && (previous === undefined || !isOrphaningDependents(previous))) listener.attemptToOrphan(node.uid);
    if (node.isDeletingDependents && (previous === undefined || !isDeletingDependents(previous))) {
      // Once it waits no more, its dependents would take it for an owner that stays.
      if (hasDependents(node)) listener.attemptToDeleteDependents(node.uid);
      else listener.attemptToDelete(node.uid);
    }
  }

  #setOwners(node: GraphNode<Resource>, references: readonly OwnerReference[], previous: () => Ownership | undefined): void {
    // The same uid with another kind or name may now be judged.
    if (isUnchanged(node, references) && !(node.isUndecided && areChanged(references, previous()))) return;
    const before = { owners: new Set(node.owners), blocked: new Set(node.blocked) };
    const owners = new Set<GraphNode<Resource>>();
    const blocked = new Set<GraphNode<Resource>>();
    // A second reference to the same owner counts as added, as in Kubernetes.
    const known = new Set(node.owners);
    const added: OwnerReference[] = [];
    for (const reference of references) {
      const owner = this.#nodes.get(reference.uid) ?? this.#create(reference.uid);
      if (!known.delete(owner)) added.push(reference);
      owners.add(owner);
      if (reference.blockOwnerDeletion) blocked.add(owner);
    }
    node.owners = [...owners];
    node.blocked = blocked.size === owners.size ? node.owners : [...blocked];
    for (const owner of owners) (owner.dependents ??= new Set()).add(node);
    for (const owner of blocked) if (!before.blocked.has(owner)) addBlocker(owner, node);
    for (const owner of before.blocked) if (!blocked.has(owner)) this.#removeBlocker(owner, node);
    for (const owner of before.owners) {
      if (owners.has(owner)) continue;
      owner.dependents?.delete(node);
      this.#dropIfUnneeded(owner);
    }
    const wasUndecided = node.isUndecided;
    node.isUndecided = false;
    if (this.#mayBeGarbage(node, added) || (wasUndecided && node.resource !== undefined)) {
      this.#options.listener.attemptToDelete(node.uid);
    }
  }

  /** Tells the owner, which may wait for this. A deleted dependent is told by `remove`. */
  #removeBlocker(owner: GraphNode<Resource>, dependent: GraphNode<Resource>): void {
    owner.blockers--;
    if (dependent.resource !== undefined) this.#options.listener.attemptToDelete(owner.uid);
  }

  /** Whether some owner is not known to be where its reference says. */
  #mayBeGarbage(node: GraphNode<Resource>, added: readonly OwnerReference[]): boolean {
    const { uid, resource, namespace, name } = node;
    if (resource === undefined) return false;
    const { listener, locate } = this.#options;
    const dependent = { uid, resource, namespace, name };
    // Those that may be somewhere else. Kubernetes tells users of the first that is, so none is needed behind it.
    const suspects: OwnerReference[] = [];
    let [isOwnerMissing, isOwnerElsewhere] = [false, false];
    for (const reference of added) {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) continue;
      const target = locate(reference, namespace);
      this.#find(owner, target);
      const isMissing = owner.resource === undefined;
      node.isUndecided ||= isMissing && typeof target === 'string';
      if ((isMissing && target === 'unknown') || (!isMissing && isAt(owner, target))) continue;
      if (!isOwnerElsewhere) suspects.push(reference);
      isOwnerMissing ||= isMissing && target !== 'impossible';
      isOwnerElsewhere ||= !isMissing;
    }
    if (suspects.length > 0) listener.ownersElsewhere(dependent, suspects);
    return isOwnerMissing || isOwnerElsewhere;
  }

  /** Sets where the object of a node is, if it is at `target`. */
  #find(node: GraphNode<Resource>, target: Target<Resource>): void {
    if (node.resource !== undefined || typeof target === 'string') return;
    if (this.#options.uidAt(target) === node.uid) setLocation(node, target);
  }

  #create(uid: string): GraphNode<Resource> {
    const node = new GraphNode<Resource>(uid);
    this.#nodes.set(uid, node);
    return node;
  }

  #dropIfUnneeded(node: GraphNode<Resource>): void {
    if (node.owners.length > 0 || hasDependents(node) || node.isDeletingDependents || node.isOrphaningDependents) return;
    this.#nodes.delete(node.uid);
  }
}

export const hasDependents = ({ dependents }: GraphNode<unknown>): boolean => dependents !== undefined && dependents.size > 0;

function setLocation<Resource>(node: GraphNode<Resource>, { resource, namespace, name }: ObjectPlace<Resource>): void {
  node.resource = resource;
  node.namespace = namespace;
  node.name = name;
}

function addBlocker<Resource>(owner: GraphNode<Resource>, dependent: GraphNode<Resource>): void {
  owner.blockers++;
  if (owner.isDeletingDependents) (owner.newBlockers ??= []).push(dependent);
}

const isAt = <Resource>(node: GraphNode<Resource>, target: Target<Resource>): boolean =>
  typeof target !== 'string' && node.resource === target.resource && node.namespace === target.namespace && node.name === target.name;

const areChanged = (references: readonly OwnerReference[], previous: Ownership | undefined): boolean =>
  JSON.stringify(references) !== JSON.stringify(previous?.ownerReferences);

/** The usual case: an update that does not touch the references. */
function isUnchanged<Resource>({ owners, blocked }: GraphNode<Resource>, references: readonly OwnerReference[]): boolean {
  if (owners.length !== references.length) return false;
  let blockedAt = 0;
  for (const [index, { uid, blockOwnerDeletion }] of references.entries()) {
    const owner = owners[index];
    if (owner === undefined || owner.uid !== uid || blockOwnerDeletion !== (blocked[blockedAt] === owner)) return false;
    if (blockOwnerDeletion) blockedAt++;
  }
  return blockedAt === blocked.length;
}
