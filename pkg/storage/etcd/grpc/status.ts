/** What a gRPC call ended with, and what other endings of its stream mean in gRPC's codes. */
import { ERROR_CODE } from '../../../http2/frames.ts';

/** The codes of gRPC that mean something here. */
export const GRPC = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** A call that was sent and did not end with an answer. */
export class GrpcError extends Error {
  /** Of `GRPC`, or any other that the server chose. */
  readonly code: number;
  readonly details: string;

  constructor(code: number, details: string, options?: ErrorOptions) {
    super(`${code}: ${details}`, options);
    this.name = 'GrpcError';
    this.code = code;
    this.details = details;
  }
}

/**
 * A call that the server certainly never looked at: not sent, refused (RFC 9113 §8.7), or sent after the last one that
 * a closing server takes (§6.8). It may be sent again, whatever it does.
 */
export class UnprocessedError extends Error {
  /** There was no room for it in time, which says nothing against the server. */
  readonly late: boolean;

  constructor(message: string, { late = false, ...options }: ErrorOptions & { readonly late?: boolean } = {}) {
    super(message, options);
    this.name = 'UnprocessedError';
    this.late = late;
  }
}

/** A proxy answered in the place of a gRPC server. The table is gRPC's own. */
export function errorOfHttpStatus(httpStatus: string): GrpcError {
  const details = `Received HTTP status code ${httpStatus}`;
  switch (httpStatus) {
    case '400':
      return new GrpcError(GRPC.internal, details);
    case '401':
      return new GrpcError(GRPC.unauthenticated, details);
    case '403':
      return new GrpcError(GRPC.permissionDenied, details);
    case '404':
      return new GrpcError(GRPC.unimplemented, details);
    case '429':
    case '502':
    case '503':
    case '504':
      return new GrpcError(GRPC.unavailable, details);
    default:
      return new GrpcError(GRPC.unknown, details);
  }
}

/** The server reset the stream. The table is gRPC's own. */
export function errorOfReset(code: number): GrpcError | UnprocessedError {
  switch (code) {
    case ERROR_CODE.refusedStream:
      return new UnprocessedError('Stream refused by server');
    case ERROR_CODE.cancel:
      return new GrpcError(GRPC.cancelled, 'Call cancelled');
    case ERROR_CODE.enhanceYourCalm:
      return new GrpcError(GRPC.resourceExhausted, 'Bandwidth exhausted or memory limit exceeded');
    case ERROR_CODE.inadequateSecurity:
      return new GrpcError(GRPC.permissionDenied, 'Protocol not secure enough');
    default:
      return new GrpcError(GRPC.internal, `Received RST_STREAM with code ${code}`);
  }
}

/**
 * The value of `grpc-message`: UTF-8, of which some bytes are written `%XX`. What is no such escape stands for itself.
 */
export function decodeGrpcMessage(value: string): string {
  if (!value.includes('%')) return value;
  const bytes = value.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
