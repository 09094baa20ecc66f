import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../errors.ts';
import { toStorageError, writeRefusal } from './call-errors.ts';
import { GRPC, GrpcError } from './grpc/status.ts';

describe('a failed call to etcd', () => {
  it.each([
    [GRPC.outOfRange, 'etcdserver: mvcc: required revision has been compacted', 'Compacted'],
    [GRPC.outOfRange, 'etcdserver: mvcc: required revision is a future revision', 'Future'],
    [GRPC.invalidArgument, 'etcdserver: request is too large', 'TooLarge'],
    [GRPC.resourceExhausted, 'grpc: received message larger than max (3000000 vs. 2097152)', 'TooLarge'],
    [GRPC.resourceExhausted, 'etcdserver: mvcc: database space exceeded', 'ReadOnly'],
    [GRPC.dataLoss, 'etcdserver: corrupt cluster', 'ReadOnly'],
    [GRPC.resourceExhausted, 'etcdserver: too many requests', 'Unreachable'],
    [GRPC.permissionDenied, 'etcdserver: permission denied', 'Denied'],
    [GRPC.unauthenticated, 'etcdserver: invalid auth token', 'Denied'],
    [GRPC.invalidArgument, 'etcdserver: authentication failed, invalid user ID or password', 'Denied'],
    [GRPC.invalidArgument, 'etcdserver: user name is empty', 'Denied'],
  ])('with code %i and "%s" is %s, and nothing was written', (code, details, expected) => {
    const error = new GrpcError(code, details);
    expect(toStorageError(error).code).toBe(expected);
    expect(toStorageError(error).cause).toBe(error);
    expect(writeRefusal(error)?.code).toBe(expected);
  });

  it.each([
    [GRPC.unavailable, 'Connection dropped'],
    [GRPC.unavailable, 'etcdserver: request timed out'],
    [GRPC.unavailable, 'etcdserver: leader changed'],
    [GRPC.deadlineExceeded, 'Deadline exceeded after 10.000s'],
    [GRPC.resourceExhausted, 'Bandwidth exhausted or memory limit exceeded'],
    [GRPC.internal, 'Received RST_STREAM with code 2'],
    [GRPC.cancelled, 'Call cancelled'],
    [GRPC.unknown, 'something new'],
  ])('with code %i and "%s" may have written, and is Unreachable to a reader', (code, details) => {
    const error = new GrpcError(code, details);
    expect(writeRefusal(error)).toBeUndefined();
    expect(toStorageError(error)).toMatchObject({ code: 'Unreachable', cause: error });
  });

  it('of another kind is Unreachable with its cause, and a StorageError is unchanged', () => {
    const cause = new RangeError('protobuf: truncated message');
    expect(toStorageError(cause)).toMatchObject({ code: 'Unreachable', cause });
    const ours = new StorageError('Closed', 'closed');
    expect(toStorageError(ours)).toBe(ours);
    expect(writeRefusal(ours)).toBe(ours);
  });
});
