/**
 * As much of an etcd as a server needs that is started to be compiled: one member, everything in memory and nothing ever forgotten, reads at any revision, writes
 * of one key under one condition, watches from any revision. Where a build runs there is no etcd, and half of what a start compiles is asking one.
 */
import { Server, ServerCredentials, type sendUnaryData, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { etcdService } from './etcd-services.ts';

export interface PretendEtcd {
  readonly endpoint: string;
  close(): void;
}

interface Change {
  readonly key: string;
  readonly revision: number;
  /** Of its creation; 0: it is a deletion. */
  readonly created: number;
  readonly value: Buffer;
}

interface RangeRequest {
  readonly key: Buffer;
  readonly range_end: Buffer;
  readonly limit: string;
  readonly revision: string;
  readonly keys_only: boolean;
}

interface Operation {
  readonly request_range?: RangeRequest | null;
  readonly request_put?: { readonly key: Buffer; readonly value: Buffer } | null;
  readonly request_delete_range?: { readonly key: Buffer } | null;
}

interface TxnRequest {
  readonly compare: readonly { readonly key: Buffer; readonly mod_revision: string }[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

interface WatchRequest {
  readonly create_request?: { readonly start_revision: string } | null;
}

type Call<Request> = ServerUnaryCall<Request, object>;
type Reply = sendUnaryData<object>;

const text = (bytes: Buffer): string => bytes.toString('latin1');
const toKeyValue = ({ key, revision, created, value }: Change, keysOnly = false): object => ({
  key: Buffer.from(key, 'latin1'),
  mod_revision: String(revision),
  create_revision: String(created),
  version: '1',
  ...(created === 0 || keysOnly ? {} : { value }),
});

class Store {
  readonly #changes: Change[] = [];
  readonly #followers = new Set<(change: Change) => void>();

  get header(): object {
    return { cluster_id: '1', member_id: '1', revision: String(this.#revision), raft_term: '1' };
  }

  range({ key, range_end: end, limit, revision, keys_only: keysOnly }: RangeRequest): object {
    const [from, to] = [text(key), text(end)];
    const all = [...this.#at(Number(revision) || this.#revision).values()]
      .filter((change) => (to === '' ? change.key === from : change.key >= from && (to === '\0' || change.key < to)))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const shown = all.slice(0, Number(limit) || all.length);
    return {
      header: this.header,
      kvs: shown.map((each) => toKeyValue(each, keysOnly)),
      more: shown.length < all.length,
      count: String(all.length),
    };
  }

  txn({ compare, success, failure }: TxnRequest): object {
    const now = this.#at(this.#revision);
    const succeeded = compare.every((each) => (now.get(text(each.key))?.revision ?? 0) === Number(each.mod_revision));
    const responses = (succeeded ? success : failure).map((each) => this.#do(each, now));
    return { header: this.header, succeeded, responses };
  }

  /** Tells of all changes from there on, those that were first. Returns what ends it. */
  follow(from: number, tell: (change: Change) => void): () => void {
    for (const change of this.#changes) if (change.revision >= from) tell(change);
    this.#followers.add(tell);
    return () => this.#followers.delete(tell);
  }

  get #revision(): number {
    return this.#changes.length + 1;
  }

  #at(revision: number): ReadonlyMap<string, Change> {
    const state = new Map<string, Change>();
    for (const change of this.#changes) {
      if (change.revision > revision) break;
      if (change.created === 0) state.delete(change.key);
      else state.set(change.key, change);
    }
    return state;
  }

  #do({ request_range: read, request_put: put, request_delete_range: removed }: Operation, now: ReadonlyMap<string, Change>): object {
    if (read !== undefined && read !== null) return { response_range: this.range(read) };
    const key = text(put?.key ?? removed?.key ?? Buffer.alloc(0));
    const revision = this.#revision + 1;
    const isPut = put !== undefined && put !== null;
    const change = { key, revision, created: isPut ? (now.get(key)?.created ?? revision) : 0, value: put?.value ?? Buffer.alloc(0) };
    this.#changes.push(change);
    for (const tell of this.#followers) tell(change);
    return isPut ? { response_put: { header: this.header } } : { response_delete_range: { header: this.header, deleted: '1' } };
  }
}

/** On a free port of this machine. */
export async function startPretendEtcd(): Promise<PretendEtcd> {
  const store = new Store();
  const server = new Server();
  server.addService(await etcdService('KV'), {
    range: ({ request }: Call<RangeRequest>, reply: Reply) => reply(null, store.range(request)),
    txn: ({ request }: Call<TxnRequest>, reply: Reply) => reply(null, store.txn(request)),
  });
  server.addService(await etcdService('Maintenance'), {
    status: (_: Call<object>, reply: Reply) => reply(null, { header: store.header, version: '3.6.0', dbSize: '1' }),
    alarm: (_: Call<object>, reply: Reply) => reply(null, { header: store.header, alarms: [] }),
  });
  server.addService(await etcdService('Watch'), {
    watch: (stream: ServerDuplexStream<WatchRequest, object>) => {
      const send = (answer: object): void => {
        stream.write({ header: store.header, watch_id: '0', ...answer });
      };
      let unfollow: (() => void) | undefined;
      const end = (): void => {
        unfollow?.();
        stream.end();
      };
      stream.on('error', end);
      stream.on('end', end);
      stream.on('data', ({ create_request: create }: WatchRequest) => {
        if (create === undefined || create === null) {
          send({});
          return;
        }
        send({ created: true });
        unfollow = store.follow(Number(create.start_revision), (change) =>
          send({ events: [{ type: change.created === 0 ? 'Delete' : 'Put', kv: toKeyValue(change) }] }),
        );
      });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
