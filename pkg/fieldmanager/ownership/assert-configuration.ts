/** Validates the body of an apply request. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { validate } from '../typed/validate.ts';
import type { ManagedKind } from './write-scope.ts';

/** Throws StatusError BadRequest for another kind or version, managedFields, and values of the wrong type. */
export function assertConfiguration({ definition, shape }: ManagedKind, config: JsonObject): void {
  const { apiVersion, kind, metadata } = config;
  if (apiVersion !== definition.apiVersion || kind !== definition.kind) {
    throw badRequest(`invalid object type: ${typeText(textOf(apiVersion), textOf(kind))}`);
  }
  if (isJsonObject(metadata) && isArray(metadata['managedFields'])) throw badRequest('metadata.managedFields must be nil');
  const problems = validate(shape, config, { allowDuplicates: false });
  if (problems.length === 0) return;
  const lines = problems.map(({ path, message }) => `${path}: ${message}`);
  throw badRequest(
    `failed to create typed patch object (${definition.apiVersion}, Kind=${definition.kind}): ${lines.join('\n')}`,
    problems.map(({ path, message }) => ({ reason: 'FieldValueInvalid', message, field: path })),
  );
}

/** The group without a name ends with a slash too. An `apiVersion` of more than two parts makes no type. */
function typeText(apiVersion: string, kind: string): string {
  const parts = apiVersion.split('/').length;
  if (parts > 2) return '/, Kind=';
  return `${parts === 2 ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
