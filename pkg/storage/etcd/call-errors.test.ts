import { describe, expect, it } from '@jest/globals';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { StorageError } from '../errors.ts';
import { toStorageError, writeRefusal } from './call-errors.ts';

const failed = (code: status, details: string): ServiceError =>
  Object.assign(new Error(details), { code, details, metadata: new Metadata() });

describe('a failed call to etcd', () => {
  it.each([
    [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted', 'Compacted'],
    [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision', 'Future'],
    [status.INVALID_ARGUMENT, 'etcdserver: request is too large', 'TooLarge'],
    [status.RESOURCE_EXHAUSTED, 'grpc: received message larger than max (3000000 vs. 2097152)', 'TooLarge'],
    [status.RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded', 'ReadOnly'],
    [status.DATA_LOSS, 'etcdserver: corrupt cluster', 'ReadOnly'],
    [status.RESOURCE_EXHAUSTED, 'etcdserver: too many requests', 'Unreachable'],
    [status.PERMISSION_DENIED, 'etcdserver: permission denied', 'Denied'],
    [status.UNAUTHENTICATED, 'etcdserver: invalid auth token', 'Denied'],
    [status.INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', 'Denied'],
    [status.INVALID_ARGUMENT, 'etcdserver: user name is empty', 'Denied'],
  ])('with code %i and "%s" is %s, and nothing was written', (code, details, expected) => {
    const error = failed(code, details);
    expect(toStorageError(error).code).toBe(expected);
    expect(toStorageError(error).cause).toBe(error);
    expect(writeRefusal(error)?.code).toBe(expected);
  });

  it.each([
    [status.UNAVAILABLE, 'Connection dropped'],
    [status.UNAVAILABLE, 'etcdserver: request timed out'],
    [status.UNAVAILABLE, 'etcdserver: leader changed'],
    [status.DEADLINE_EXCEEDED, 'Deadline exceeded after 10.000s'],
    [status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded'],
    [status.INTERNAL, 'Received RST_STREAM with code 2'],
    [status.CANCELLED, 'Call cancelled'],
    [status.UNKNOWN, 'something new'],
  ])('with code %i and "%s" may have written, and is Unreachable to a reader', (code, details) => {
    const error = failed(code, details);
    expect(writeRefusal(error)).toBeUndefined();
    expect(toStorageError(error)).toMatchObject({ code: 'Unreachable', cause: error });
  });

  it('of another kind is Unreachable with its cause, and what is ours stays as it is', () => {
    const cause = new RangeError('protobuf: the message is cut off');
    expect(toStorageError(cause)).toMatchObject({ code: 'Unreachable', cause });
    const ours = new StorageError('Closed', 'closed');
    expect(toStorageError(ours)).toBe(ours);
    expect(writeRefusal(ours)).toBe(ours);
  });
});
