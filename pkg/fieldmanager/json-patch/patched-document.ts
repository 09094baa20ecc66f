/**
 * A document that the operations of a JSON patch change one after the other.
 *
 * - Containers of the document and of the patch are never modified. Those on the path to a change are copied once.
 * - A raw value is decoded when a change reaches into it, but not for reading and comparing.
 * - Work is bounded by the number of operations, copied bytes, shifted list elements and depth.
 */
import { MAX_JSON_DEPTH } from '../../apimachinery/json/json-cursor.ts';
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { setMember } from '../../apimachinery/json/set-member.ts';
import { isArray } from '../../apimachinery/json/write-json.ts';
import { isJsonContainer, type CopyOnWriteContainers, type WritableContainer } from './copy-on-write.ts';
import { editInPlace } from './edit-in-place.ts';
import { elementIndex, insertionIndex, formatPointer, type JsonPointer } from './json-pointer.ts';
import { jsonSize } from './json-size.ts';
import { OperationFailure } from './refused-operation.ts';
import { isEqualValue } from './same-value.ts';

/** For all copies of a patch together. The limit of kube-apiserver. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/** List elements after insertions and deletions. Shifting this many takes about a quarter of a second. */
export const MAX_SHIFTED_ELEMENTS = 100_000_000;

/** The writable container that holds the target of a change, and the keys that lead to it from the writable root. */
interface PatchTarget {
  readonly root: WritableContainer;
  readonly container: WritableContainer;
  readonly parentTokens: readonly string[];
  readonly lastToken: string;
}

/** A method that fails throws OperationFailure; the document must not be used after that. */
export class PatchedDocument {
  #root: JsonValue;
  readonly #containers: CopyOnWriteContainers;
  #copiedBytes = 0;
  #shiftedElements = 0;
  /** A container was inserted, so the result may be nested too deeply. */
  #mustCheckDepth = false;

  constructor(document: JsonValue, containers: CopyOnWriteContainers) {
    this.#root = document;
    this.#containers = containers;
  }

  /** The resulting document. Must be called once, at the end. */
  result(): JsonValue {
    if (this.#mustCheckDepth) checkDepth(this.#root);
    return this.#containers.escapesNames ? this.#containers.toReadonly(this.#root) : this.#root;
  }

  add(path: JsonPointer, value: JsonValue): void {
    const { root, container, parentTokens, lastToken } = this.#resolve(path);
    if (isJsonContainer(value)) this.#mustCheckDepth = true;
    if (isArray(container)) {
      const index = insertionIndex(lastToken, container.length);
      if (index === undefined) throw new OperationFailure('the index is out of range');
      this.#shift(container.length - index);
      editInPlace(root, { op: 'add', path: formatPointer([...parentTokens, String(index)]), value });
      return;
    }
    if (this.#containers.at(container, lastToken) === undefined) this.#containers.adjustCount(container, 1);
    editInPlace(root, { op: 'add', path: formatPointer([...parentTokens, this.#containers.memberNameIn(container, lastToken)]), value });
  }

  remove(path: JsonPointer): void {
    this.#take(path, 'path');
  }

  /** Only an object or a list can replace the whole document. */
  replace(path: JsonPointer, value: JsonValue): void {
    if (isJsonContainer(value)) this.#mustCheckDepth = true;
    if (path.tokens.length > 0) {
      const target = this.#resolve(path);
      if (this.#containers.at(target.container, target.lastToken) === undefined) throw missingValue('path');
      editInPlace(target.root, { op: 'replace', path: formatPointer(this.#tokensOf(target)), value });
    } else if (isJsonContainer(value)) {
      this.#root = value;
    } else {
      throw new OperationFailure('a document must be an object or a list');
    }
  }

  move(from: JsonPointer, path: JsonPointer): void {
    this.add(path, this.#take(from, 'from'));
  }

  copy(from: JsonPointer, path: JsonPointer): void {
    // As in Kubernetes, the whole document can be neither copied nor moved.
    const found = from.tokens.length === 0 ? undefined : this.#find(from);
    if (found === undefined) throw missingValue('from');
    checkDepth(found);
    const value = this.#containers.toReadonly(found);
    this.#copiedBytes += jsonSize(value, MAX_COPIED_BYTES - this.#copiedBytes);
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      throw new OperationFailure(`the copies of the patch are larger than ${MAX_COPIED_BYTES} bytes in total`);
    }
    this.add(path, value);
  }

  /** As in Kubernetes, a missing member of an existing object equals null. */
  test(path: JsonPointer, value: JsonValue): void {
    let found = this.#find(path);
    if (found === undefined) found = this.#missingMember(path);
    if (found === undefined) throw missingValue('path');
    if (!isEqualValue(this.#containers, found, value)) throw new OperationFailure('the value differs');
  }

  #find(path: JsonPointer): JsonValue | undefined {
    let found: JsonValue | undefined = this.#root;
    for (const token of path.tokens) {
      const decoded = this.#containers.decode(found);
      found = isJsonContainer(decoded) ? this.#containers.at(decoded, token) : undefined;
      if (found === undefined) return undefined;
    }
    return found;
  }

  #missingMember(path: JsonPointer): JsonValue | undefined {
    const parent = this.#find({ text: '', tokens: path.tokens.slice(0, -1) });
    const decoded = parent === undefined ? undefined : this.#containers.decode(parent);
    return isJsonContainer(decoded) && !isArray(decoded) ? null : undefined;
  }

  /** Makes the containers along the path writable. */
  #resolve(path: JsonPointer): PatchTarget {
    const lastToken = path.tokens.at(-1);
    // As in Kubernetes, only `replace` accepts the whole document.
    if (lastToken === undefined || !isJsonContainer(this.#root)) throw new OperationFailure('it cannot apply to the whole document');
    const root = this.#containers.toWritable(this.#root);
    this.#root = root;
    let container = root;
    const parentTokens: string[] = [];
    for (const token of path.tokens.slice(0, -1)) {
      const child = this.#containers.at(container, token);
      const decoded = child === undefined ? undefined : this.#containers.decode(child);
      if (!isJsonContainer(decoded)) throw new OperationFailure('its parent is missing, or is neither an object nor a list');
      const name = this.#tokenIn(container, token);
      parentTokens.push(name);
      const own = this.#containers.toWritable(decoded);
      if (isArray(container)) container[Number(name)] = own;
      else setMember<JsonValue | undefined>(container, name, own);
      container = own;
    }
    return { root, container, parentTokens, lastToken };
  }

  /** Removes the value and returns it. */
  #take(pointer: JsonPointer, member: 'path' | 'from'): JsonValue {
    const target = this.#resolve(pointer);
    const { container } = target;
    const value = this.#containers.at(container, target.lastToken);
    if (value === undefined) throw missingValue(member);
    const parentTokens = this.#tokensOf(target);
    if (isArray(container)) this.#shift(container.length - 1 - Number(parentTokens.at(-1)));
    else this.#containers.adjustCount(container, -1);
    editInPlace(target.root, { op: 'remove', path: formatPointer(parentTokens) });
    return value;
  }

  #tokensOf({ container, parentTokens, lastToken }: PatchTarget): readonly string[] {
    return [...parentTokens, this.#tokenIn(container, lastToken)];
  }

  /** The token of an existing element or member, as fast-json-patch expects it. */
  #tokenIn(container: WritableContainer, token: string): string {
    return isArray(container) ? String(elementIndex(token, container.length)) : this.#containers.memberNameIn(container, token);
  }

  #shift(elements: number): void {
    this.#shiftedElements += elements;
    if (this.#shiftedElements > MAX_SHIFTED_ELEMENTS) throw new OperationFailure('the patch shifts too many list elements', true);
  }
}

const missingValue = (member: 'path' | 'from') => new OperationFailure(`its ${member} does not exist`);

/** Recursion stops at the depth limit of request bodies. */
function checkDepth(value: JsonValue, depth = 1): void {
  if (!isJsonContainer(value)) return;
  if (depth > MAX_JSON_DEPTH) throw new OperationFailure(`the result is nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (const child of Object.values(value)) if (child !== undefined) checkDepth(child, depth + 1);
}
