/** From the list in an object's metadata to owners. One entry that cannot be read spoils the whole list, as in Kubernetes. */
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import type { ManagedFieldsEntry } from '../../apis/meta/v1/types.gen.ts';
import { FieldSet } from '../fields/field-set.ts';
import { parseFieldsV1 } from '../fields/fields-v1.ts';
import type { Entries } from './entries.ts';
import type { FieldSetReader } from './field-set-reader.ts';
import { FieldOwner, type ManagedFields, NO_MANAGED_FIELDS, type OwnerFacts, ownerIdentity } from './field-owner.ts';

/** Of an object as it is stored. The sets are not read yet: what is stored was written by `encodeManagedFields`. */
export function decodeStoredManagedFields(stored: Entries, read?: FieldSetReader): ManagedFields | undefined {
  return decode(stored, (_, { fieldsV1 }) => (fieldsV1 instanceof RawJson ? fieldsV1 : readFields(fieldsV1)), read);
}

/** Of an object as a client sent it. Sets that are the same as in `stored` are taken from there unread. */
export function decodeSentManagedFields(sent: Entries, stored: ManagedFields, read?: FieldSetReader): ManagedFields | undefined {
  const fieldsOf = (identity: string, { fieldsV1 }: ManagedFieldsEntry) => {
    const known = stored.get(identity)?.fieldsV1;
    return known !== undefined && fieldsV1 instanceof RawJson && known.equals(fieldsV1) ? known : readFields(fieldsV1);
  };
  return decode(sent, fieldsOf, read);
}

/**
 * Which managedFields a write starts from: those that were sent, when there are any and they can be read; else those that are stored; none
 * when the client asked to forget them, or nothing can be read. A write to a subresource cannot change them.
 */
export function managedFieldsToStartFrom(stored: Entries, sent: Entries, subresource: string, read?: FieldSetReader): ManagedFields {
  const known = decodeStoredManagedFields(stored, read) ?? NO_MANAGED_FIELDS;
  if (subresource !== '') return known;
  if (isResetOfManagedFields(sent)) return NO_MANAGED_FIELDS;
  if (sent === stored) return known;
  const given = decodeSentManagedFields(sent, known, read);
  return given === undefined || given.size === 0 ? known : given;
}

/** `[]` and `[{}]`: what clients send to have an object's managedFields forgotten. */
export function isResetOfManagedFields(entries: Entries): boolean {
  if (entries === undefined || entries.length > 1) return false;
  const [only] = entries;
  return only === undefined || isBlank(only);
}

const isBlank = (entry: ManagedFieldsEntry): boolean => Object.values<unknown>(entry).every((value) => value === undefined || value === '');

type Fields = FieldSet | RawJson;

function decode(
  entries: Entries,
  fieldsOf: (identity: string, entry: ManagedFieldsEntry) => Fields | undefined,
  read?: FieldSetReader,
): ManagedFields | undefined {
  if (entries === undefined || entries.length === 0) return NO_MANAGED_FIELDS;
  const owners = new Map<string, FieldOwner>();
  for (const entry of entries) {
    const facts = factsOf(entry);
    if (facts === undefined) return undefined;
    const identity = ownerIdentity(facts);
    const fields = fieldsOf(identity, entry);
    if (fields === undefined) return undefined;
    owners.set(identity, new FieldOwner(facts, fields, read));
  }
  return owners;
}

function factsOf({
  manager = '',
  operation,
  apiVersion = '',
  subresource = '',
  time,
  fieldsType,
}: ManagedFieldsEntry): OwnerFacts | undefined {
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
  return { manager, operation, apiVersion, subresource, time };
}

const readFields = (fieldsV1: ManagedFieldsEntry['fieldsV1']): FieldSet | undefined =>
  fieldsV1 === undefined ? FieldSet.empty : parseFieldsV1(fieldsV1);
