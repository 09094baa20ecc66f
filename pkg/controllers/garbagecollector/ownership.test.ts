import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import { readOwnership } from './ownership.ts';

const encoding = new ObjectEncoding({ kind: 'Widget', apiVersion: 'example.com/v1' });

const read = (metadata: object) =>
  readOwnership(
    encoding.toItem(Buffer.from(`{"kind":"Widget","apiVersion":"example.com/v1","metadata":${JSON.stringify(metadata)},"spec":{}}`), 7),
  );

const reference = { apiVersion: 'v1', kind: 'A', name: 'n', uid: 'u' };

describe('The ownership of an object', () => {
  it('is read wherever it stands in the metadata', () => {
    expect(
      read({
        name: 'a',
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 0,
        labels: { ownerReferences: 'x' },
        annotations: { finalizers: '","finalizers":["no"],"' },
        ownerReferences: [reference, { ...reference, uid: 'ü', controller: true, blockOwnerDeletion: true }],
        finalizers: ['orphan', 'example.com/a"b'],
        managedFields: [{ fieldsV1: { 'f:metadata': { 'f:ownerReferences': {} } } }],
      }),
    ).toEqual({
      ownerReferences: [
        { ...reference, blockOwnerDeletion: false },
        { ...reference, uid: 'ü', blockOwnerDeletion: true },
      ],
      finalizers: ['orphan', 'example.com/a"b'],
      isDeleting: true,
    });
  });

  it('is empty for most objects', () => {
    const none = { ownerReferences: [], finalizers: [], isDeleting: false };
    expect([read({ name: 'a' }), read({ name: 'a', labels: {}, managedFields: [] })]).toEqual([none, none]);
  });

  it('keeps a damaged reference, whose owner nobody can find', () => {
    const damaged = { apiVersion: '', kind: '', name: '', uid: '', blockOwnerDeletion: false };
    expect(read({ ownerReferences: [7, { ...reference, kind: null }], finalizers: {} })).toEqual({
      ownerReferences: [damaged, { ...reference, kind: '', blockOwnerDeletion: false }],
      finalizers: [],
      isDeleting: false,
    });
  });

  it('is that of JSON.parse', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', ':', 'é') });
    const metadata = fc.record(
      {
        name: text,
        deletionTimestamp: text,
        labels: fc.dictionary(text, text),
        annotations: fc.dictionary(text, text),
        ownerReferences: fc.array(fc.record({ apiVersion: text, kind: text, name: text, uid: text, blockOwnerDeletion: fc.boolean() })),
        finalizers: fc.array(text),
        managedFields: fc.array(fc.dictionary(text, text)),
      },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(metadata, (each) => {
        const { ownerReferences = [], finalizers = [], deletionTimestamp } = each;
        expect(read(each)).toEqual({ ownerReferences, finalizers, isDeleting: deletionTimestamp !== undefined });
      }),
      propertyRuns(500),
    );
  });
});
