import { describe, expect, it } from '@jest/globals';
import { checkDnsSubdomain } from './names.ts';
import {
  fieldManagerCauses,
  standardFinalizerCauses,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type CheckedMetadata,
} from './object-meta.ts';

describe('metadata with very many errors', () => {
  const many = 200_000;
  const numbered = (value: string) => Object.fromEntries(Array.from({ length: many }, (_, index) => [`not a key ${index}`, value]));
  const faulty: readonly [string, CheckedMetadata][] = [
    ['labels', { labels: numbered('x') }],
    ['annotations', { annotations: numbered('') }],
    ['finalizers', { finalizers: Array.from({ length: many }, () => '') }],
    ['ownerReferences', { ownerReferences: Array.from({ length: many }, () => ({})) }],
    ['managedFields', { managedFields: Array.from({ length: many }, () => ({})) }],
  ];
  it.each(faulty)('is rejected with about a thousand causes: %s', (_, metadata) => {
    const causes = validateObjectMeta({ name: 'a', namespace: 'b', ...metadata }, { namespaced: true, checkName: checkDnsSubdomain });
    expect(causes.length).toBeGreaterThanOrEqual(1000);
    expect(causes.length).toBeLessThan(1010);
  });
});

describe('validateObjectMetaUpdate', () => {
  const stored = { name: 'a', namespace: 'b', uid: 'u', creationTimestamp: '2026-01-05T06:07:08Z', finalizers: ['x.io/a'] };
  const update = (changes: CheckedMetadata, of: CheckedMetadata = stored) =>
    validateObjectMetaUpdate({ ...of, ...changes }, of, { namespaced: true });

  it('accepts unchanged metadata', () => {
    expect(update({})).toEqual([]);
  });

  it('accepts a name that only older rules allowed', () => {
    expect(update({}, { ...stored, name: 'A_b' })).toEqual([]);
  });

  it.each(['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const)('keeps %s as it is', (field) => {
    expect(update({ [field]: 'c' })).toEqual([
      { reason: 'FieldValueInvalid', field: `metadata.${field}`, message: 'Invalid value: "c": field is immutable' },
    ]);
  });

  it('rejects new finalizers on an object that is being deleted', () => {
    const deleting = { ...stored, deletionTimestamp: '2026-01-05T06:07:09Z' };
    expect(update({ finalizers: [] }, deleting)).toEqual([]);
    expect(update({ finalizers: ['x.io/a', 'x.io/c\u007f'] }, deleting).at(-1)?.message).toMatch(/\[\]string\{"x.io\/c\\x7f"\}$/);
    expect(update({ finalizers: ['x.io/a', 'x.io/c', 'x.io/b'] }, deleting)).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'metadata.finalizers',
        message:
          'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/b", "x.io/c"}',
      },
    ]);
  });
});

describe('metadata rules of kinds', () => {
  it('allow finalizers without a domain only if Kubernetes defines them', () => {
    expect(standardFinalizerCauses(['orphan', 'x.io/a', 'b']).map(({ field }) => field)).toEqual(['metadata.finalizers[2]']);
  });

  it('require printable field managers', () => {
    expect(fieldManagerCauses('kubectl-create é')).toEqual([]);
    expect(fieldManagerCauses('a\tb').map(({ message }) => message)).toEqual([
      'Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
    ]);
  });
});
