import { describe, expect, it } from '@jest/globals';
import { StorageError, type StorageErrorCode } from '../storage/errors.ts';
import { storageStatus } from './storage-status.ts';

const EXPECTED: Readonly<Record<StorageErrorCode, readonly [string, number]>> = {
  Compacted: ['Expired', 410],
  Future: ['Timeout', 504],
  Unreachable: ['ServiceUnavailable', 503],
  TooLarge: ['RequestEntityTooLarge', 413],
  ReadOnly: ['ServiceUnavailable', 503],
  Replaced: ['ServiceUnavailable', 503],
  Denied: ['InternalError', 500],
  Closed: ['ServiceUnavailable', 503],
};

describe('storageStatus', () => {
  it.each(Object.keys(EXPECTED) as StorageErrorCode[])('says what a client may know of %s, and keeps the cause', (code) => {
    const error = new StorageError(code, 'inner words');
    const status = storageStatus(error);
    expect([status.reason, status.code]).toEqual(EXPECTED[code]);
    expect(status.message).not.toContain('inner words');
    expect(status.cause).toBe(error);
  });
});
