/**
 * What a failed gRPC call means. etcd gives a gRPC code and, within one code, tells its errors apart by fixed texts
 * only (they are part of its API: its own client matches them too), so the code decides first and the text only where
 * the code alone cannot.
 */
import { StorageError } from '../errors.ts';
import { GRPC, GrpcError, UnprocessedError } from './grpc/status.ts';

/** The error as the backend's callers see it. Anything unknown is `Unreachable`, with its cause. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof GrpcError)) return new StorageError('Unreachable', 'the call to etcd failed', { cause: error });
  return refusal(error) ?? new StorageError('Unreachable', `etcd: ${error.details}`, { cause: error });
}

/** The error of a write of which it is certain that nothing was written; undefined when it may have been. */
export function writeRefusal(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  return error instanceof GrpcError ? refusal(error) : undefined;
}

/** etcd looked at the request and refused it, so nothing was done. */
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
      // Said by gRPC, before etcd saw the message, by the side that would have to take it.
      if (details.includes('larger than max')) return new StorageError('TooLarge', 'etcd refuses a message of this size', { cause: error });
      if (details.includes('too many requests')) return new StorageError('Unreachable', 'etcd is overloaded', { cause: error });
      return undefined;
    case GRPC.dataLoss:
      return details.includes('corrupt cluster')
        ? new StorageError('ReadOnly', 'etcd found its members to differ and refuses writes (alarm CORRUPT)', { cause: error })
        : undefined;
    case GRPC.permissionDenied:
    case GRPC.unauthenticated:
      return new StorageError('Denied', `etcd refuses these credentials: ${details}`, { cause: error });
    case GRPC.unimplemented:
      return new StorageError('Unreachable', `this is no etcd of version 3: ${details}`, { cause: error });
    default:
      return undefined;
  }
}

/**
 * The token ran out, or roles were changed since it was given. Told before the request was looked at: it may be sent
 * again.
 */
export const needsNewToken = (error: unknown): boolean =>
  error instanceof GrpcError &&
  ((error.code === GRPC.unauthenticated && error.details.includes('invalid auth token')) ||
    (error.code === GRPC.invalidArgument && error.details.includes('revision of auth store is old')));

/** A password was given that nobody asks for. */
export const needsNoToken = (error: unknown): boolean =>
  error instanceof GrpcError && error.code === GRPC.failedPrecondition && error.details.includes('authentication is not enabled');

const MEMBER_FAILURES: ReadonlySet<number> = new Set([GRPC.unavailable, GRPC.deadlineExceeded, GRPC.internal, GRPC.unknown]);

/** This member cannot serve now; another might. */
export const isMemberFailure = (error: unknown): boolean =>
  (error instanceof UnprocessedError && !error.late) || (error instanceof GrpcError && MEMBER_FAILURES.has(error.code));
