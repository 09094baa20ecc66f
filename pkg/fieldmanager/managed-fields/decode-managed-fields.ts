/** Decodes `metadata.managedFields` into owners. One invalid entry invalidates the whole list, as in Kubernetes. */
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1 } from '../fieldpath/fields-v1.ts';
import type { ManagedFieldsEntries } from './entries.ts';
import type { FieldSetReader } from './cached-field-set-reader.ts';
import { FieldOwner, type ManagedFields, NO_MANAGED_FIELDS, type OwnerInfo, managerIdentifier } from './field-owner.ts';

/** The owners of a stored object. Their sets are decoded lazily, since `encodeManagedFields` has written them. */
export function decodeStoredManagedFields(stored: ManagedFieldsEntries, read?: FieldSetReader): ManagedFields | undefined {
  return decode(stored, (_, { fieldsV1 }) => (fieldsV1 instanceof RawJson ? fieldsV1 : readFields(fieldsV1)), read);
}

/** The owners of an object in a request. Sets equal to those in `stored` are reused without parsing. */
export function decodeSentManagedFields(
  sent: ManagedFieldsEntries,
  stored: ManagedFields,
  read?: FieldSetReader,
): ManagedFields | undefined {
  const fieldsOf = (identifier: string, { fieldsV1 }: ManagedFieldsEntry) => {
    const storedFields = stored.get(identifier)?.fieldsV1;
    return storedFields !== undefined && fieldsV1 instanceof RawJson && storedFields.equals(fieldsV1) ? storedFields : readFields(fieldsV1);
  };
  return decode(sent, fieldsOf, read);
}

/**
 * The managedFields before a write: those in the request if valid and not a subresource, else the stored ones. None if
 * the client clears them or the stored ones are invalid.
 */
export function managedFieldsBeforeWrite(
  stored: ManagedFieldsEntries,
  sent: ManagedFieldsEntries,
  subresource: string,
  read?: FieldSetReader,
): ManagedFields {
  const storedFields = decodeStoredManagedFields(stored, read) ?? NO_MANAGED_FIELDS;
  if (subresource !== '') return storedFields;
  if (isResetOfManagedFields(sent)) return NO_MANAGED_FIELDS;
  if (sent === stored) return storedFields;
  const given = decodeSentManagedFields(sent, storedFields, read);
  return given === undefined || given.size === 0 ? storedFields : given;
}

/** `[]` and `[{}]`: clients send these to clear managedFields. */
export function isResetOfManagedFields(entries: ManagedFieldsEntries): boolean {
  if (entries === undefined || entries.length > 1) return false;
  const [only] = entries;
  return only === undefined || isBlank(only);
}

const isBlank = (entry: ManagedFieldsEntry): boolean => Object.values<unknown>(entry).every((value) => value === undefined || value === '');

type DecodedFields = FieldSet | RawJson;

function decode(
  entries: ManagedFieldsEntries,
  fieldsOf: (identifier: string, entry: ManagedFieldsEntry) => DecodedFields | undefined,
  read?: FieldSetReader,
): ManagedFields | undefined {
  if (entries === undefined || entries.length === 0) return NO_MANAGED_FIELDS;
  const owners = new Map<string, FieldOwner>();
  for (const entry of entries) {
    const info = infoOf(entry);
    if (info === undefined) return undefined;
    const identifier = managerIdentifier(info);
    const fields = fieldsOf(identifier, entry);
    if (fields === undefined) return undefined;
    owners.set(identifier, new FieldOwner(info, fields, read));
  }
  return owners;
}

function infoOf({
  manager = '',
  operation,
  apiVersion = '',
  subresource = '',
  time,
  fieldsType,
}: ManagedFieldsEntry): OwnerInfo | undefined {
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
  return { manager, operation, apiVersion, subresource, time };
}

const readFields = (fieldsV1: ManagedFieldsEntry['fieldsV1']): FieldSet | undefined =>
  fieldsV1 === undefined ? FieldSet.empty : parseFieldsV1(fieldsV1);
