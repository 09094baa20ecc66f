/**
 * The vectors are plain JSON: nothing is defaulted, and no empty structs stand where a client would read them. So they
 * are run on documents, below the field manager that makes documents of objects.
 */
import { expect } from '@jest/globals';
import { equalJson } from '../../pkg/apimachinery/json/equal-json.ts';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import type { Kind } from '../../pkg/apis/kind.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { canonicalText } from '../../pkg/fieldmanager/fieldpath/canonical-value.ts';
import { decodeStoredManagedFields } from '../../pkg/fieldmanager/managed-fields/decode-managed-fields.ts';
import { encodeManagedFields } from '../../pkg/fieldmanager/managed-fields/encode-managed-fields.ts';
import { NO_MANAGED_FIELDS, type ManagedFields } from '../../pkg/fieldmanager/managed-fields/field-owner.ts';
import { assertConfiguration } from '../../pkg/fieldmanager/ownership/assert-configuration.ts';
import { recordUpdate } from '../../pkg/fieldmanager/ownership/record-update.ts';
import { serverSideApply as applyToDocument } from '../../pkg/fieldmanager/ownership/server-side-apply.ts';
import { writeScopes } from '../../pkg/fieldmanager/ownership/write-scope.ts';
import { runnerOf } from './vector.ts';

interface Step {
  readonly op: 'apply' | 'update';
  readonly manager: string;
  readonly force?: boolean;
  readonly subresource?: 'status';
  readonly object: JsonObject;
  readonly expectedObject?: JsonObject;
  /** Without times, in any order. */
  readonly expectedManagedFields?: readonly JsonObject[];
  readonly expectConflicts?: readonly { readonly field: string; readonly manager: string }[];
  readonly expectError?: boolean;
}

interface ApplyVector {
  readonly kind: string;
  readonly apiVersion: string;
  readonly steps: readonly Step[];
}

interface State {
  readonly object: JsonObject;
  readonly owners: ManagedFields;
}

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

export const serverSideApply = runnerOf<ApplyVector>(({ kind: name, apiVersion, steps }) => {
  const kind = kinds.find(({ definition }) => definition.kind === name && definition.apiVersion === apiVersion);
  if (kind === undefined) throw new Error(`There is no kind ${name} in ${apiVersion}.`);
  const emptyDocument: JsonObject = { apiVersion, kind: name, metadata: metadataOf(steps) };
  steps.reduce<State>((state, step) => runStep(kind, emptyDocument, state, step), { object: emptyDocument, owners: NO_MANAGED_FIELDS });
});

/** What the object is called. */
function metadataOf([first]: readonly Step[]): JsonObject {
  const { name, namespace } = (first?.object['metadata'] ?? {}) as JsonObject;
  return namespace === undefined ? { name } : { name, namespace };
}

/** Returns the state after the step, which a step that failed leaves as it was. */
function runStep(kind: Kind, emptyDocument: JsonObject, state: State, step: Step): State {
  const { expectedObject, expectedManagedFields = [], expectConflicts } = step;
  if (expectedObject === undefined) {
    const failure = failureOf(() => write(kind, emptyDocument, state, step));
    if (expectConflicts !== undefined) expect(conflictsOf(failure)).toEqual(expectConflicts);
    return state;
  }
  const next = write(kind, emptyDocument, state, step);
  if (!equalJson(next.object, expectedObject)) expect(next.object).toEqual(expectedObject);
  expect(entriesText(next.owners)).toEqual(expectedManagedFields.map(canonicalText).sort());
  return next;
}

function write(kind: Kind, emptyDocument: JsonObject, { object: live, owners }: State, step: Step): State {
  const { op, manager, force = false, subresource = '', object } = step;
  const paths = writeScopes(kind);
  const path = subresource === '' ? paths.update : paths.subresource(subresource);
  const writer = { manager, subresource, time: '2026-01-01T00:00:00Z' };
  if (op === 'update')
    return { object: kept(kind, live, object, subresource), owners: recordUpdate(path, { before: live, after: object }, owners, writer) };
  assertConfiguration(kind, object);
  const applied = applyToDocument(path, { emptyDocument, live, config: object }, owners, { ...writer, force });
  return { object: kept(kind, live, applied.document, subresource), owners: applied.owners };
}

/** What the strategy of the path keeps. */
function kept({ strategy }: Kind, live: JsonObject, next: JsonObject, subresource: string): JsonObject {
  if (subresource === 'status') return withMember(next, 'spec', live);
  return strategy.status?.resetOnUpdate === true ? withMember(next, 'status', live) : next;
}

function withMember(object: JsonObject, name: string, from: JsonObject): JsonObject {
  const { [name]: _, ...others } = object;
  return from[name] === undefined ? others : { ...others, [name]: from[name] };
}

function failureOf(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('This step is expected to fail.');
}

/** The manager is the first thing in quotes. */
const conflictsOf = ({ details }: StatusError) =>
  (details?.causes ?? []).map(({ field, message }) => ({ field, manager: /"([^"]*)"/.exec(message)?.[1] }));

/** As text, since order of entries and of members does not count. */
function entriesText(owners: ManagedFields): readonly string[] {
  const entries = encodeManagedFields(owners) ?? [];
  // What is written can be read again.
  expect(decodeStoredManagedFields(entries)?.size).toBe(owners.size);
  return entries.map(({ time: _, ...facts }) => canonicalText(facts)).sort();
}
