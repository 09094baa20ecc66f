/** Detects writes that change nothing but the times in managedFields. */
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import type { ManagedFieldsEntries } from './entries.ts';

/** Whether the lists are equal, entry by entry, except for their times. */
export function differOnlyInTimes(a: ManagedFieldsEntries = [], b: ManagedFieldsEntries = []): boolean {
  return a.length === b.length && a.every((entry, at) => sameButTime(entry, b[at]));
}

const sameButTime = (a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined): boolean =>
  b !== undefined &&
  (a.manager ?? '') === (b.manager ?? '') &&
  a.operation === b.operation &&
  a.apiVersion === b.apiVersion &&
  (a.fieldsType ?? '') === (b.fieldsType ?? '') &&
  (a.subresource ?? '') === (b.subresource ?? '') &&
  sameFields(a.fieldsV1, b.fieldsV1);

type RecordedFields = ManagedFieldsEntry['fieldsV1'];

function sameFields(a: RecordedFields, b: RecordedFields): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a instanceof RawJson && b instanceof RawJson ? a.equals(b) : writeJson(a) === writeJson(b);
}
