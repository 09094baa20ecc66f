import { describe, expect, it } from '@jest/globals';
import { itemLengthAt, metadataEnd, ObjectEncoding, resourceVersionOf, writeItemAt } from './object-encoding.ts';

const encoding = new ObjectEncoding({ kind: 'CronJob', apiVersion: 'batch/v1' });
const stored = Buffer.from('{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"é"},"spec":{"metadata":{}}}');
const single = '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"resourceVersion":"42","name":"é"},"spec":{"metadata":{}}}';
const item = '{"metadata":{"resourceVersion":"42","name":"é"},"spec":{"metadata":{}}}';

const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();

describe('ObjectEncoding', () => {
  it('builds the single object from stored JSON and from an item', () => {
    expect(text(encoding.singleObjectOfStored(stored, 42))).toBe(single);
    expect(text(encoding.singleObject(Buffer.from(item)))).toBe(single);
  });

  it('builds the item from stored JSON and from a single object', () => {
    expect(encoding.toItem(stored, 42).toString()).toBe(item);
    expect(encoding.itemLength(stored, 42)).toBe(Buffer.byteLength(item));
    expect(encoding.itemOfSingleObject([Buffer.from(single.slice(0, 9)), Buffer.from(single.slice(9))]).toString()).toBe(item);
  });

  it('restores the stored JSON from an item', () => {
    expect(encoding.toStored(Buffer.from(item), 42)).toEqual(stored);
  });

  it('writes consecutive items', () => {
    const target = Buffer.alloc(200);
    const end = encoding.writeItem(target, encoding.writeItem(target, 1, stored, 42), stored, 42);
    expect(target.subarray(1, end).toString()).toBe(item + item);
  });

  it.each([
    ['stored JSON', stored.toString(), true],
    ['JSON that was cut off', stored.toString().slice(0, -4), false],
    ['an object of another kind', stored.toString().replace('CronJob', 'Lease'), false],
    ['an object without metadata', '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{}}', false],
    ['no JSON', 'left by another program', false],
    ['nothing', '', false],
  ])('recognizes %s', (_, json, isStored) => {
    expect(encoding.isStored(Buffer.from(json))).toBe(isStored);
  });
});

describe('an item', () => {
  it('can be given another revision of any length', () => {
    for (const revision of [7, 42, 123_456]) {
      const length = itemLengthAt(Buffer.byteLength(item), 42, revision);
      const target = Buffer.alloc(length + 1);
      expect(writeItemAt(target, 1, Buffer.from(item), 42, revision)).toBe(length + 1);
      expect(target.subarray(1).toString()).toBe(item.replace('42', String(revision)));
    }
  });

  it('contains its revision and the end of its metadata', () => {
    const braces = '{"metadata":{"resourceVersion":"9","annotations":{"a":"}\\"{"}},"spec":{}}';
    expect(braces.slice(0, metadataEnd(Buffer.from(braces)))).toBe('{"metadata":{"resourceVersion":"9","annotations":{"a":"}\\"{"}}');
    expect(resourceVersionOf(Buffer.from(braces))).toBe('9');
    expect(resourceVersionOf(Buffer.from('{"metadata":{"name":"a"}}'))).toBeUndefined();
  });
});
