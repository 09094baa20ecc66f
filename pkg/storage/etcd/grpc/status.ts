/** The outcome of a gRPC call, and the mapping of HTTP errors to gRPC's codes. */
import { ERROR_CODE } from '../../../http2/frames.ts';

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

/** The error of a call that was sent. The server may have executed it, unless the code says otherwise. */
export class GrpcError extends Error {
  /** From `GRPC`, or any other code that the server sent. */
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
 * The server certainly did not process the call: it was not sent, was refused (RFC 9113 §8.7), or came after the last
 * stream of a GOAWAY (§6.8). It is safe to send again, even a write.
 */
export class UnprocessedError extends Error {
  /** The limit on concurrent streams was reached, which does not mean that the server failed. */
  readonly atStreamLimit: boolean;

  constructor(message: string, { atStreamLimit = false, ...options }: ErrorOptions & { readonly atStreamLimit?: boolean } = {}) {
    super(message, options);
    this.name = 'UnprocessedError';
    this.atStreamLimit = atStreamLimit;
  }
}

/** gRPC's own mapping. */
const CODE_OF_HTTP_STATUS: ReadonlyMap<string, number> = new Map([
  ['400', GRPC.internal],
  ['401', GRPC.unauthenticated],
  ['403', GRPC.permissionDenied],
  ['404', GRPC.unimplemented],
  ...['429', '502', '503', '504'].map((status) => [status, GRPC.unavailable] as const),
]);

/** For an HTTP response without a gRPC status, as from a proxy. */
export const errorOfHttpStatus = (httpStatus: string): GrpcError =>
  new GrpcError(CODE_OF_HTTP_STATUS.get(httpStatus) ?? GRPC.unknown, `Received HTTP status code ${httpStatus}`);

/** For RST_STREAM. The mapping is gRPC's own. */
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

/** Decodes `grpc-message`: percent-encoded UTF-8. An invalid escape stands for itself. */
export function decodeGrpcMessage(value: string): string {
  if (!value.includes('%')) return value;
  const bytes = value.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
