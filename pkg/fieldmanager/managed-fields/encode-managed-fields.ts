/** From owners to the list in an object's metadata. */
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import type { Entries } from './entries.ts';
import type { FieldOwner, ManagedFields, OwnerFacts } from './field-owner.ts';

/** In Kubernetes' order: applies before updates, the oldest first, then by name, version and subresource. `undefined` when nobody owns anything. */
export function encodeManagedFields(managedFields: ManagedFields): Entries {
  if (managedFields.size === 0) return undefined;
  return [...managedFields.values()].sort(compareOwners).map(toEntry);
}

const toEntry = ({ manager, operation, apiVersion, time, fieldsV1, subresource }: FieldOwner): ManagedFieldsEntry => ({
  ...(manager === '' ? {} : { manager }),
  operation,
  apiVersion,
  ...(time === undefined ? {} : { time }),
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(subresource === '' ? {} : { subresource }),
});

const compareOwners = (a: OwnerFacts, b: OwnerFacts): number =>
  compareByBytes(a.operation, b.operation) ||
  compareTimes(a, b) ||
  compareByBytes(a.manager, b.manager) ||
  compareByBytes(a.apiVersion, b.apiVersion) ||
  compareByBytes(a.subresource, b.subresource);

/** What an owner without a time counts as. */
const EPOCH = '1970-01-01T00:00:00Z';

/** Canonical times are in the order of their text. */
export const compareTimes = (a: OwnerFacts, b: OwnerFacts): number => compareByBytes(a.time ?? EPOCH, b.time ?? EPOCH);
