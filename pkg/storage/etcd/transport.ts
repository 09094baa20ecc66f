/** The transport to one member of etcd: `grpc/` or `etcd3-channel.ts`. It does not retry, choose members or log in. */

export interface UnaryCall<Answer> {
  /** For example `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Memory for the response. Default: new memory. */
  readonly allocate?: ((bytes: number) => Buffer) | undefined;
  /** An exception fails the call. */
  readonly decode: (buffer: Buffer) => Answer;
}

export interface StreamHead {
  readonly path: string;
  readonly token: string | undefined;
  /** Names in lower case. Always the same object, because its encoding is cached by identity. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface StreamListener {
  /** The listener owns the message. Must not throw. */
  readonly onMessage: (message: Buffer) => void;
  /** Called once, last, unless the stream is cancelled. No error: the server ended it with status OK. */
  readonly onEnd: (error: Error | undefined) => void;
}

export interface EtcdStream {
  send(message: Uint8Array): void;
  /** Limits the server to what remains of its window. */
  pause(): void;
  resume(): void;
  /** Ends the stream without calling the listener. Idempotent. */
  cancel(): void;
}

/** An established connection to one member. */
export interface EtcdConnection {
  /** Rejects with UnprocessedError when the member certainly did not process the call, else with GrpcError. */
  call<Answer>(call: UnaryCall<Answer>, token: string | undefined): Promise<Answer>;
  /** Throws UnprocessedError when it cannot be opened now. */
  open(head: StreamHead, listener: StreamListener): EtcdStream;
}

/** Connects to one member on demand. */
export interface EtcdChannel {
  /** The connection, if it is established. Otherwise starts to connect. */
  readyNow(): EtcdConnection | undefined;
  /** Rejects when there is no connection after `timeoutMs`, or the channel is closed. */
  ready(timeoutMs: number): Promise<EtcdConnection>;
  /** Drops the connection. Its calls fail, and the next call reconnects. */
  reset(reason: Error): void;
  close(): void;
}

export interface ChannelOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly server: string;
  /** PEM. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer } | undefined;
  /** The deadline of every unary call. */
  readonly callTimeoutMs: number;
  /** A silent member is pinged after `keepaliveMs`, and dropped `keepaliveTimeoutMs` later. */
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /** The receive window of a stream. Default: the maximum, because unary responses are buffered whole anyway. */
  readonly streamWindowBytes?: number | undefined;
}

/** Connects on first use. Throws StorageError Unreachable when the server is not a URL. */
export type OpenChannel = (options: ChannelOptions) => EtcdChannel;
