/**
 * Maps gRPC errors to StorageError. Within one gRPC code, etcd's errors differ only by fixed texts, which its own
 * client matches too.
 */
import { StorageError } from '../errors.ts';
import { GRPC, GrpcError, UnprocessedError } from './grpc/status.ts';

/** Unknown errors become `Unreachable`, with their cause. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof GrpcError)) return new StorageError('Unreachable', 'the call to etcd failed', { cause: error });
  return refusal(error) ?? new StorageError('Unreachable', `etcd: ${error.details}`, { cause: error });
}

/** The error when certainly nothing was written; undefined when the write may have happened. */
export function writeRefusal(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  return error instanceof GrpcError ? refusal(error) : undefined;
}

/** Set when etcd rejected the request without executing it. */
function refusal(error: GrpcError): StorageError | undefined {
  const { code, details } = error;
  switch (code) {
    case GRPC.outOfRange:
      if (details.includes('compacted')) return new StorageError('Compacted', 'the revision has been compacted', { cause: error });
      if (details.includes('future revision')) return new StorageError('Future', 'the revision has not happened yet', { cause: error });
      return undefined;
    case GRPC.invalidArgument:
      if (details.includes('request is too large'))
        return new StorageError('TooLarge', 'etcd refuses a value of this size', { cause: error });
      if (details.includes('authentication failed') || details.includes('user name is empty'))
        return new StorageError('Denied', `etcd refuses these credentials: ${details}`, { cause: error });
      return new StorageError('Unreachable', `etcd refuses the request: ${details}`, { cause: error });
    case GRPC.resourceExhausted:
      if (details.includes('database space exceeded'))
        return new StorageError('ReadOnly', 'etcd is out of space: compact and defragment it, then disarm its NOSPACE alarm', {
          cause: error,
        });
      // This comes from the gRPC library of the receiver, before etcd sees the message.
      if (details.includes('larger than max')) return new StorageError('TooLarge', 'etcd refuses a message of this size', { cause: error });
      if (details.includes('too many requests')) return new StorageError('Unreachable', 'etcd is overloaded', { cause: error });
      return undefined;
    case GRPC.dataLoss:
      return details.includes('corrupt cluster')
        ? new StorageError('ReadOnly', 'etcd found that its members differ and refuses writes (alarm CORRUPT)', { cause: error })
        : undefined;
    case GRPC.permissionDenied:
    case GRPC.unauthenticated:
      return new StorageError('Denied', `etcd refuses these credentials: ${details}`, { cause: error });
    case GRPC.unimplemented:
      return new StorageError('Unreachable', `this is not etcd 3: ${details}`, { cause: error });
    default:
      return undefined;
  }
}

/** The token expired, or roles changed since. etcd did not process the request, so it may be sent again. */
export const needsNewToken = (error: unknown): boolean =>
  error instanceof GrpcError &&
  ((error.code === GRPC.unauthenticated && error.details.includes('invalid auth token')) ||
    (error.code === GRPC.invalidArgument && error.details.includes('revision of auth store is old')));

/** A password was given, but authentication is disabled. */
export const needsNoToken = (error: unknown): boolean =>
  error instanceof GrpcError && error.code === GRPC.failedPrecondition && error.details.includes('authentication is not enabled');

const MEMBER_FAILURES: ReadonlySet<number> = new Set([GRPC.unavailable, GRPC.deadlineExceeded, GRPC.internal, GRPC.unknown]);

/** This member cannot serve the call now, but another may. */
export const isMemberFailure = (error: unknown): boolean =>
  (error instanceof UnprocessedError && !error.atStreamLimit) || (error instanceof GrpcError && MEMBER_FAILURES.has(error.code));
