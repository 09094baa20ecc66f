import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { Containers } from './containers.ts';
import type { JsonPatch, JsonPatchOperation } from './parse-json-patch.ts';
import { OperationFailure } from './operation-failure.ts';
import { PatchedDocument } from './patched-document.ts';
import { isReservedName } from './private-names.ts';
import { refusedOperation } from './refused-operation.ts';

/**
 * The document after all operations, in their order. It shares what was not changed with `document` and what was added with `patch`;
 * neither is changed, and a patch may be applied again. `document` itself when nothing was changed.
 *
 * Throws StatusError: Invalid, without causes, when an operation cannot be done, a test fails, the copies become too large or the
 * result too deep; RequestEntityTooLarge when lists are shifted beyond measure.
 */
export function applyJsonPatch(document: JsonObject, { operations }: JsonPatch): JsonValue {
  const patched = new PatchedDocument(document, new Containers(operations.some(hasReservedName)));
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
    if (error.tooMuch) throw new StatusError('RequestEntityTooLarge', error.message, { cause: error });
    const from = 'from' in operation ? operation.from.text : undefined;
    throw refusedOperation({ index, op: operation.op, path: operation.path.text, from }, error.message);
  }
}

const hasReservedName = (operation: JsonPatchOperation): boolean =>
  operation.path.steps.some(isReservedName) || ('from' in operation && operation.from.steps.some(isReservedName));
