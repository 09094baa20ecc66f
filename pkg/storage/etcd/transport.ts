/**
 * How calls reach a member of etcd. Two implementations: `grpc/`, on HTTP/2 of our own, and `etcd3-channel.ts`, on the
 * connections of the `etcd3` package. Both are exchanged without a difference to the rest: neither retries, chooses
 * members or logs in.
 */

/** One call with one message each way. */
export interface UnaryCall<Answer> {
  /** `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Memory for the answer. Absent: it gets memory of its own. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
  /** Of the bytes of the answer. What it throws fails the call. */
  readonly decode: (buffer: Buffer) => Answer;
}

/** How a stream is opened. */
export interface StreamHead {
  readonly path: string;
  readonly token: string | undefined;
  /** Names in lower case. The same object each time, so that its encoding can be cached. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface StreamListener {
  /** The message is the listener's, and does not change. Must not throw. */
  readonly onMessage: (message: Buffer) => void;
  /** Once, last, unless the stream is cancelled. Without an error: the server ended it with status OK. */
  readonly onEnd: (error: Error | undefined) => void;
}

export interface EtcdStream {
  send(message: Uint8Array): void;
  /** The server may send what still fits its window, and no more. */
  pause(): void;
  resume(): void;
  /** Ends it; the listener is not called any more. May be called twice. */
  cancel(): void;
}

/** An established connection to one member. */
export interface EtcdConnection {
  /** Sent once. Rejects with UnprocessedError when the member certainly never looked at it, else with GrpcError. */
  call<Answer>(call: UnaryCall<Answer>, token: string | undefined): Promise<Answer>;
  /** Throws UnprocessedError when it cannot be opened now. */
  open(head: StreamHead, listener: StreamListener): EtcdStream;
}

/** The connection to one member, established again when it is needed. */
export interface EtcdChannel {
  /** The connection, if it is established; else one is being established from now on. */
  readyNow(): EtcdConnection | undefined;
  /** Rejects with the reason when none is established after `timeoutMs`, or the channel is closed. */
  ready(timeoutMs: number): Promise<EtcdConnection>;
  /** Drops the connection: what runs over it fails, and the next call connects anew. */
  reset(reason: Error): void;
  /** What runs over it fails. */
  close(): void;
}

export interface ChannelOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly server: string;
  /** PEM. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer } | undefined;
  /** Of every unary call, from when it is made. */
  readonly callTimeoutMs: number;
  /** After this much silence the member is pinged, and after `keepaliveTimeoutMs` more its connection is dropped. */
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /**
   * Receive window of a stream in bytes. Absent: as large as it can be, as fits unary calls, whose answers are taken
   * whole.
   */
  readonly streamWindowBytes?: number | undefined;
}

/** Connects to nobody yet. Throws StorageError Unreachable when the server is not a URL. */
export type OpenChannel = (options: ChannelOptions) => EtcdChannel;
