/**
 * The members of one etcd cluster, of which the one that answers is used. Calls and watches have channels of their own
 * to each member, because a range of many MB must not delay a watch. A member that is suspected is tested over both: a
 * connection that a network has silently lost, and a member that has stopped, are dropped within seconds, however long
 * a keepalive would take to notice.
 */
import { StorageError } from '../errors.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import type { EtcdBackendOptions } from './options.ts';
import type { EtcdChannel, EtcdConnection, OpenChannel, UnaryCall } from './transport.ts';

export const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/** etcd ends connections that ping more often than every 5 s without a call. */
const DEFAULT_KEEPALIVE_MS = 6000;
const DEFAULT_KEEPALIVE_TIMEOUT_MS = 2000;
/** How long a call waits for a connection before it is certain that it was not sent. */
const CONNECT_MS = 3000;
/** Replays are megabytes; with HTTP/2's 64 KB they would wait for a round trip per window. */
const WATCH_WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * A call that is not answered in `patienceMs` makes its member suspect; a member that does not answer a test in
 * `testMs` is dropped.
 */
const PATIENCE = { amongOthers: { patienceMs: 1000, testMs: 500 }, alone: { patienceMs: 3000, testMs: 2000 } };
/**
 * A member that has answered a test is not tested again for this long: many slow calls need no test each. Less than any
 * patience.
 */
const TRUST_MS = 500;

/** Answered by a member alone, without a quorum and without a login. */
const TEST_CALL: UnaryCall<undefined> = { path: '/etcdserverpb.Maintenance/Status', message: Buffer.alloc(0), decode: () => undefined };

const closed = (): StorageError => new StorageError('Closed', 'the etcd backend is closed');

/** The channels for calls, and those for watches. */
export class Cluster {
  readonly calls: EtcdMembers;
  readonly watches: EtcdMembers;
  /** How long a call may wait for its answer before `suspect` is due. */
  readonly patienceMs: number;

  /** Connects to nobody yet. Throws StorageError Unreachable when a server is not a URL. */
  constructor(options: EtcdBackendOptions, openChannel: OpenChannel) {
    const { servers, tls, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS } = options;
    const { keepaliveMs = DEFAULT_KEEPALIVE_MS, keepaliveTimeoutMs = DEFAULT_KEEPALIVE_TIMEOUT_MS } = options;
    const { patienceMs, testMs } = servers.length > 1 ? PATIENCE.amongOthers : PATIENCE.alone;
    const membersOf = (streamWindowBytes?: number) => {
      const channels = servers.map((server) => ({
        server,
        channel: openChannel({ server, tls, callTimeoutMs, keepaliveMs, keepaliveTimeoutMs, streamWindowBytes }),
      }));
      return new EtcdMembers(channels, { connectMs: Math.min(callTimeoutMs, CONNECT_MS), testMs });
    };
    this.patienceMs = patienceMs;
    this.calls = membersOf();
    this.watches = membersOf(WATCH_WINDOW_BYTES);
  }

  /** Tests the connections to a member, and drops those that do not answer. */
  suspect(member: number): void {
    void this.calls.test(member);
    void this.watches.test(member);
  }

  close(): void {
    this.calls.close();
    this.watches.close();
  }
}

export interface MemberChannel {
  readonly server: string;
  readonly channel: EtcdChannel;
}

interface EtcdMember extends MemberChannel {
  isTesting: boolean;
  /** In the milliseconds of `performance.now()`. */
  trustedUntil: number;
}

export interface MembersOptions {
  /** Nobody waits for a connection for longer. */
  readonly connectMs: number;
  /** A connection must answer a test in this time. */
  readonly testMs: number;
}

export class EtcdMembers {
  readonly #members: readonly EtcdMember[];
  readonly #options: MembersOptions;
  /** Index of the member that is asked first; moves on when it fails. */
  #preferred = 0;
  #connecting: Promise<EtcdConnection> | undefined;
  #isClosed = false;

  /** Connects to nobody yet. */
  constructor(members: readonly MemberChannel[], options: MembersOptions) {
    this.#members = members.map((member) => ({ ...member, isTesting: false, trustedUntil: 0 }));
    this.#options = options;
  }

  /** The connection to the preferred member, if it is established. Throws Closed. */
  readyNow(): EtcdConnection | undefined {
    if (this.#isClosed) throw closed();
    return this.#members[this.#preferred]?.channel.readyNow();
  }

  /**
   * The first one that is established; its member becomes the preferred one. Concurrent callers share the wait. Rejects
   * with Unreachable or Closed.
   */
  ready(): Promise<EtcdConnection> {
    this.#connecting ??= this.#firstReady().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Of the preferred member, to tell whether it still is when a call over its connection fails. */
  get preferred(): number {
    return this.#preferred;
  }

  /** True while it is not known whether the preferred member answers. */
  get isSuspected(): boolean {
    return this.#members[this.#preferred]?.isTesting === true;
  }

  /** The member failed: another is asked next, if it is the preferred one. */
  moveOn(member: number): void {
    if (member === this.#preferred) this.#preferred = (this.#preferred + 1) % this.#members.length;
  }

  /** Drops the connection to a member, if one is established, unless it answers in time. */
  async test(index: number): Promise<void> {
    const member = this.#members[index];
    if (this.#isClosed || member === undefined || member.isTesting || performance.now() < member.trustedUntil) return;
    const connection = member.channel.readyNow();
    if (connection === undefined) return;
    member.isTesting = true;
    const answers = await answersWithin(connection, this.#options.testMs);
    member.isTesting = false;
    if (answers) {
      member.trustedUntil = performance.now() + TRUST_MS;
    } else {
      this.moveOn(index);
      // Nothing, once it is closed.
      member.channel.reset(new Error('the member does not answer'));
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { channel } of this.#members) channel.close();
  }

  async #firstReady(): Promise<EtcdConnection> {
    const reasons: string[] = [];
    const waits = this.#members.map(async ({ server, channel }, index) => {
      try {
        return { connection: await channel.ready(this.#options.connectMs), index };
      } catch (error) {
        reasons.push(`${server}: ${reasonOf(error)}`);
        throw error;
      }
    });
    try {
      const { connection, index } = await Promise.any(waits);
      this.#preferred = index;
      return connection;
    } catch (error) {
      if (this.#isClosed) throw closed();
      throw new StorageError('Unreachable', `no etcd answers (${reasons.join('; ')})`, { cause: error });
    }
  }
}

/** Any answer will do, a refusal as well. */
function answersWithin(connection: EtcdConnection, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settle = (answers: boolean) => {
      clearTimeout(timer);
      resolve(answers);
    };
    connection.call(TEST_CALL, undefined).then(
      () => settle(true),
      (error: unknown) => settle(error instanceof GrpcError && error.code !== GRPC.unavailable && error.code !== GRPC.deadlineExceeded),
    );
  });
}

/** Errors of sockets need not be of this realm's classes. */
const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
