import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { CopyOnWriteContainers } from './copy-on-write.ts';
import type { JsonPatch, JsonPatchOperation } from './parse-json-patch.ts';
import { PatchedDocument } from './patched-document.ts';
import { isReservedName } from './reserved-names.ts';
import { OperationFailure, refusedOperation } from './refused-operation.ts';

/**
 * Applies all operations in order. The result shares unchanged values with `document` and added ones with `patch`.
 * Neither is modified, and the patch can be applied again. Returns `document` itself if nothing changes.
 *
 * Throws StatusError: Invalid, without causes, if an operation fails, a test fails, the copies exceed their limit or
 * the result is nested too deeply; RequestEntityTooLarge if too many list elements are shifted.
 */
export function applyJsonPatch(document: JsonObject, { operations }: JsonPatch): JsonValue {
  const patched = new PatchedDocument(document, new CopyOnWriteContainers(operations.some(hasReservedName)));
  operations.forEach((operation, index) => {
    attempt(operation, index, () => {
      perform(patched, operation);
    });
  });
  const last = operations.at(-1);
  return last === undefined ? document : attempt(last, operations.length - 1, () => patched.result());
}

function perform(document: PatchedDocument, operation: JsonPatchOperation): void {
  switch (operation.op) {
    case 'add':
      document.add(operation.path, operation.value);
      return;
    case 'remove':
      document.remove(operation.path);
      return;
    case 'replace':
      document.replace(operation.path, operation.value);
      return;
    case 'move':
      document.move(operation.from, operation.path);
      return;
    case 'copy':
      document.copy(operation.from, operation.path);
      return;
    case 'test':
      document.test(operation.path, operation.value);
      return;
    default:
      operation satisfies never;
  }
}

function attempt<T>(operation: JsonPatchOperation, index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    if (error.exceedsWorkLimit) throw new StatusError('RequestEntityTooLarge', error.message, { cause: error });
    const from = 'from' in operation ? operation.from.text : undefined;
    throw refusedOperation({ index, op: operation.op, path: operation.path.text, from }, error.message);
  }
}

const hasReservedName = (operation: JsonPatchOperation): boolean =>
  operation.path.tokens.some(isReservedName) || ('from' in operation && operation.from.tokens.some(isReservedName));
