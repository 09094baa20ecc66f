/** Encodes owners as `metadata.managedFields`. */
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import type { ManagedFieldsEntries } from './entries.ts';
import type { FieldOwner, ManagedFields, OwnerInfo } from './field-owner.ts';

/** In Kubernetes' order: Apply first, then by time, manager, version, subresource. `undefined` without owners. */
export function encodeManagedFields(managedFields: ManagedFields): ManagedFieldsEntries {
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

const compareOwners = (a: OwnerInfo, b: OwnerInfo): number =>
  compareByBytes(a.operation, b.operation) ||
  compareTimes(a, b) ||
  compareByBytes(a.manager, b.manager) ||
  compareByBytes(a.apiVersion, b.apiVersion) ||
  compareByBytes(a.subresource, b.subresource);

/** Sort key of an owner without a time. */
const EPOCH = '1970-01-01T00:00:00Z';

/** Canonical times sort as text. */
export const compareTimes = (a: OwnerInfo, b: OwnerInfo): number => compareByBytes(a.time ?? EPOCH, b.time ?? EPOCH);
