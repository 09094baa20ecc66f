/**
 * A document while the operations of one JSON patch change it, one after the other.
 *
 * - Containers of the given document and of the patch are never written into: those on the way to a change are copied, each at most once,
 *   and the rest is shared.
 * - A raw value is decoded when a change reaches into it; reading and comparing leave it as it is.
 * - The work is bounded: by the number of operations, what copies add, how many elements of lists move, and the depth of the result.
 */
import { MAX_JSON_DEPTH } from '../../apimachinery/json/json-cursor.ts';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray } from '../../apimachinery/json/write-json.ts';
import { isContainer, type Containers, type OwnContainer } from './containers.ts';
import { editInPlace } from './edit-in-place.ts';
import { elementIndex, insertionIndex, writePointer, type JsonPointer } from './json-pointer.ts';
import { jsonSize } from './json-size.ts';
import { OperationFailure } from './operation-failure.ts';
import { isSameValue } from './same-value.ts';

/** The limit of the Kubernetes API server, for all copies of a patch together. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/** Elements behind the places where lists grow and shrink. Moving as many takes about a quarter of a second. */
export const MAX_SHIFTED_ELEMENTS = 100_000_000;

/** The own container that holds the target of a change, and the names and indexes on the way to it from the own root. */
interface Place {
  readonly root: OwnContainer;
  readonly container: OwnContainer;
  readonly way: readonly string[];
  readonly lastStep: string;
}

/** Every method throws OperationFailure when it cannot be done; the document must not be used then. */
export class PatchedDocument {
  #root: JsonValue;
  readonly #containers: Containers;
  #copiedBytes = 0;
  #shiftedElements = 0;
  /** A container came to another place, so that the result may be too deep. */
  #mayBeTooDeep = false;

  constructor(document: JsonValue, containers: Containers) {
    this.#root = document;
    this.#containers = containers;
  }

  /** What the document has become. To be called once, at the end. */
  result(): JsonValue {
    if (this.#mayBeTooDeep) checkDepth(this.#root);
    return this.#containers.renames ? this.#containers.published(this.#root) : this.#root;
  }

  add(path: JsonPointer, value: JsonValue): void {
    const { root, container, way, lastStep } = this.#reach(path);
    if (isContainer(value)) this.#mayBeTooDeep = true;
    if (isArray(container)) {
      const index = insertionIndex(lastStep, container.length);
      if (index === undefined) throw new OperationFailure('the list has no such place');
      this.#shift(container.length - index);
      editInPlace(root, { op: 'add', path: writePointer([...way, String(index)]), value });
      return;
    }
    if (this.#containers.at(container, lastStep) === undefined) this.#containers.willGrow(container, 1);
    editInPlace(root, { op: 'add', path: writePointer([...way, this.#containers.nameIn(container, lastStep)]), value });
  }

  remove(path: JsonPointer): void {
    this.#take(path, 'path');
  }

  /** The whole document only by an object or a list. */
  replace(path: JsonPointer, value: JsonValue): void {
    if (isContainer(value)) this.#mayBeTooDeep = true;
    if (path.steps.length > 0) {
      const place = this.#reach(path);
      if (this.#containers.at(place.container, place.lastStep) === undefined) throw nothingAt('path');
      editInPlace(place.root, { op: 'replace', path: writePointer(this.#targetOf(place)), value });
    } else if (isContainer(value)) {
      this.#root = value;
    } else {
      throw new OperationFailure('a document is an object or a list');
    }
  }

  move(from: JsonPointer, path: JsonPointer): void {
    this.add(path, this.#take(from, 'from'));
  }

  copy(from: JsonPointer, path: JsonPointer): void {
    // As Kubernetes: the whole document is neither copied nor moved.
    const found = from.steps.length === 0 ? undefined : this.#find(from);
    if (found === undefined) throw nothingAt('from');
    checkDepth(found);
    const value = this.#containers.published(found);
    this.#copiedBytes += jsonSize(value, MAX_COPIED_BYTES - this.#copiedBytes);
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      throw new OperationFailure(`the copies that the patch makes are larger than ${MAX_COPIED_BYTES} bytes together`);
    }
    this.add(path, value);
  }

  /** As Kubernetes: a member that is missing from an object that is there equals null. */
  test(path: JsonPointer, value: JsonValue): void {
    let found = this.#find(path);
    if (found === undefined) found = this.#missingMember(path);
    if (found === undefined) throw nothingAt('path');
    if (!isSameValue(this.#containers, found, value)) throw new OperationFailure('the value there is another');
  }

  #find(path: JsonPointer): JsonValue | undefined {
    let found: JsonValue | undefined = this.#root;
    for (const step of path.steps) {
      const opened = this.#containers.open(found);
      found = isContainer(opened) ? this.#containers.at(opened, step) : undefined;
      if (found === undefined) return undefined;
    }
    return found;
  }

  #missingMember(path: JsonPointer): JsonValue | undefined {
    const parent = this.#find({ text: '', steps: path.steps.slice(0, -1) });
    const opened = parent === undefined ? undefined : this.#containers.open(parent);
    return isContainer(opened) && !isArray(opened) ? null : undefined;
  }

  /** Makes the containers on the way own, so that the target can be changed. */
  #reach(path: JsonPointer): Place {
    const lastStep = path.steps.at(-1);
    // As Kubernetes: `replace` alone takes the whole document.
    if (lastStep === undefined || !isContainer(this.#root)) throw new OperationFailure('it cannot be done to the whole document');
    const root = this.#containers.own(this.#root);
    this.#root = root;
    let container = root;
    const way: string[] = [];
    for (const step of path.steps.slice(0, -1)) {
      const child = this.#containers.at(container, step);
      const opened = child === undefined ? undefined : this.#containers.open(child);
      if (!isContainer(opened)) throw new OperationFailure('what should hold it is missing, or is neither an object nor a list');
      const name = this.#stepIn(container, step);
      way.push(name);
      const own = this.#containers.own(opened);
      if (isArray(container)) container[Number(name)] = own;
      else setMember<JsonValue | undefined>(container, name, own);
      container = own;
    }
    return { root, container, way, lastStep };
  }

  /** Removes the value there and gives it back. */
  #take(pointer: JsonPointer, member: 'path' | 'from'): JsonValue {
    const place = this.#reach(pointer);
    const { container } = place;
    const value = this.#containers.at(container, place.lastStep);
    if (value === undefined) throw nothingAt(member);
    const way = this.#targetOf(place);
    if (isArray(container)) this.#shift(container.length - 1 - Number(way.at(-1)));
    else this.#containers.willGrow(container, -1);
    editInPlace(place.root, { op: 'remove', path: writePointer(way) });
    return value;
  }

  #targetOf({ container, way, lastStep }: Place): readonly string[] {
    return [...way, this.#stepIn(container, lastStep)];
  }

  /** How the library is told of an element or member that is there. */
  #stepIn(container: OwnContainer, step: string): string {
    return isArray(container) ? String(elementIndex(step, container.length)) : this.#containers.nameIn(container, step);
  }

  #shift(elements: number): void {
    this.#shiftedElements += elements;
    if (this.#shiftedElements > MAX_SHIFTED_ELEMENTS) throw new OperationFailure('the patch moves too many elements of lists', true);
  }
}

const nothingAt = (member: 'path' | 'from') => new OperationFailure(`there is nothing at its ${member}`);

/** Nothing walks deeper than a body may be nested. */
function checkDepth(value: JsonValue, depth = 1): void {
  if (!isContainer(value)) return;
  if (depth > MAX_JSON_DEPTH) throw new OperationFailure(`the result is nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (const child of Object.values(value)) if (child !== undefined) checkDepth(child, depth + 1);
}
