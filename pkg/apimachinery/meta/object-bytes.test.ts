import { describe, expect, it } from '@jest/globals';
import {
  canonicalHead,
  fromListForm,
  itemBytes,
  listFormLength,
  resourceVersionPieces,
  withResourceVersion,
  writeListForm,
} from './object-bytes.ts';

const kind = { kind: 'CronJob', apiVersion: 'batch/v1' };
const head = canonicalHead(kind);
const stored = Buffer.from('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"é"},"spec":{"metadata":{}}}');
const sent = '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"resourceVersion":"42","name":"é"},"spec":{"metadata":{}}}';
const inList = '{"metadata":{"resourceVersion":"42","name":"é"},"spec":{"metadata":{}}}';

describe('the forms of a stored object', () => {
  it('begin with the head of the kind', () => {
    expect(stored.subarray(0, head.byteLength).equals(head)).toBe(true);
  });

  it('carry the resourceVersion as the first member of metadata', () => {
    expect(withResourceVersion(stored, 42).toString()).toBe(sent);
    expect(Buffer.concat(resourceVersionPieces(stored, 42)).toString()).toBe(sent);
  });

  it('leave kind and apiVersion to the list', () => {
    expect(itemBytes(stored, head.byteLength, 42).toString()).toBe(inList);
    expect(listFormLength(stored, head.byteLength, 42)).toBe(Buffer.byteLength(inList));
    expect(Buffer.concat(fromListForm(Buffer.from(inList), head)).toString()).toBe(sent);
  });

  it('are written one behind the other', () => {
    const target = Buffer.alloc(200);
    const end = writeListForm(target, writeListForm(target, 1, stored, head.byteLength, 42), stored, head.byteLength, 42);
    expect(target.subarray(1, end).toString()).toBe(inList + inList);
  });

  it('are JSON even without other metadata', () => {
    const empty = Buffer.from('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{}}');
    expect(withResourceVersion(empty, 7).toString()).toBe('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"resourceVersion":"7"}}');
    expect(itemBytes(empty, head.byteLength, 7).toString()).toBe('{"metadata":{"resourceVersion":"7"}}');
  });
});
