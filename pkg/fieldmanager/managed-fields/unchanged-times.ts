/** A write that changes nothing must not show in the times of managedFields either. */
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { writeJson } from '../../apimachinery/json/write-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import type { Entries } from './entries.ts';

/** Whether the lists say the same, entry by entry, except for their times. */
export function differOnlyInTimes(a: Entries = [], b: Entries = []): boolean {
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

type Fields = ManagedFieldsEntry['fieldsV1'];

function sameFields(a: Fields, b: Fields): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a instanceof RawJson && b instanceof RawJson ? a.equals(b) : writeJson(a) === writeJson(b);
}
