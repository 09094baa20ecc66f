/**
 * The members of one etcd cluster, one of which is used at a time. Calls and watches have separate channels, because a
 * large range must not delay a watch. A suspected member is tested over both, which detects dead connections and
 * stopped members sooner than a keepalive.
 */
import { StorageError } from '../errors.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import type { EtcdBackendOptions } from './options.ts';
import type { EtcdChannel, EtcdConnection, OpenChannel, UnaryCall } from './transport.ts';

export const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/** etcd closes connections that ping more often than every 5 s without a call. */
const DEFAULT_KEEPALIVE_MS = 6000;
const DEFAULT_KEEPALIVE_TIMEOUT_MS = 2000;
/** A call without a connection fails after this time. */
const CONNECT_MS = 3000;
/** Replays are megabytes, and would need a round trip for every 64 KB with the default window. */
const WATCH_WINDOW_BYTES = 4 * 1024 * 1024;

/** A call without a response for `suspectAfterMs` tests its member; a test without one for `testMs` drops it. */
const TIMEOUTS = { amongOthers: { suspectAfterMs: 1000, testMs: 500 }, alone: { suspectAfterMs: 3000, testMs: 2000 } };
/** A member that passed a test is not tested again for this long, so that many slow calls share one test. */
const TRUST_MS = 500;

/** Needs neither a quorum nor a login. */
const TEST_CALL: UnaryCall<undefined> = { path: '/etcdserverpb.Maintenance/Status', message: Buffer.alloc(0), decode: () => undefined };

const closed = (): StorageError => new StorageError('Closed', 'the etcd backend is closed');

export class Cluster {
  readonly calls: EtcdMembers;
  readonly watches: EtcdMembers;
  /** How long a call may wait for its response before `suspect` must be called. */
  readonly suspectAfterMs: number;

  /** Connects on first use. Throws StorageError Unreachable when a server is not a URL. */
  constructor(options: EtcdBackendOptions, openChannel: OpenChannel) {
    const { servers, tls, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS } = options;
    const { keepaliveMs = DEFAULT_KEEPALIVE_MS, keepaliveTimeoutMs = DEFAULT_KEEPALIVE_TIMEOUT_MS } = options;
    const { suspectAfterMs, testMs } = servers.length > 1 ? TIMEOUTS.amongOthers : TIMEOUTS.alone;
    const membersOf = (streamWindowBytes?: number) => {
      const channels = servers.map((server) => ({
        server,
        channel: openChannel({ server, tls, callTimeoutMs, keepaliveMs, keepaliveTimeoutMs, streamWindowBytes }),
      }));
      return new EtcdMembers(channels, { connectMs: Math.min(callTimeoutMs, CONNECT_MS), testMs });
    };
    this.suspectAfterMs = suspectAfterMs;
    this.calls = membersOf();
    this.watches = membersOf(WATCH_WINDOW_BYTES);
  }

  /** Tests the connections to a member and drops dead ones. */
  suspect(member: number): void {
    void this.calls.test(member);
    void this.watches.test(member);
  }

  close(): void {
    this.calls.close();
    this.watches.close();
  }
}

interface MemberChannel {
  readonly server: string;
  readonly channel: EtcdChannel;
}

interface EtcdMember extends MemberChannel {
  isTesting: boolean;
  /** In milliseconds of `performance.now()`. */
  trustedUntil: number;
}

interface MembersOptions {
  readonly connectMs: number;
  readonly testMs: number;
}

class EtcdMembers {
  readonly #members: readonly EtcdMember[];
  readonly #options: MembersOptions;
  /** Index of the member in use. */
  #preferred = 0;
  #connecting: Promise<EtcdConnection> | undefined;
  #isClosed = false;

  constructor(members: readonly MemberChannel[], options: MembersOptions) {
    this.#members = members.map((member) => ({ ...member, isTesting: false, trustedUntil: 0 }));
    this.#options = options;
  }

  /** The connection to the preferred member, if it is established. Throws Closed. */
  readyNow(): EtcdConnection | undefined {
    if (this.#isClosed) throw closed();
    return this.#members[this.#preferred]?.channel.readyNow();
  }

  /** Connects to all members and prefers the fastest. Concurrent callers share it. Rejects with StorageError. */
  ready(): Promise<EtcdConnection> {
    this.#connecting ??= this.#firstReady().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  get preferred(): number {
    return this.#preferred;
  }

  /** True while the preferred member is being tested. */
  get isSuspected(): boolean {
    return this.#members[this.#preferred]?.isTesting === true;
  }

  /** Prefers the next member after `member` failed. */
  moveOn(member: number): void {
    if (member === this.#preferred) this.#preferred = (this.#preferred + 1) % this.#members.length;
  }

  /** Drops an established connection to a member that does not respond in time. */
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
      member.channel.reset(new Error('the member does not respond'));
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
        reasons.push(`${server}: ${errorMessage(error)}`);
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

/** Any response counts, even an error. */
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
