/**
 * An etcd that misbehaves as told: it answers what every client asks at first, and leaves the watch streams to the
 * test.
 */
import { Server, ServerCredentials, type ServerDuplexStream, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { etcdService } from './etcd-services.ts';

export interface FakeEvent {
  readonly key: string;
  readonly revision: number;
  /** Absent: deleted. */
  readonly value?: string;
}

export interface FakeWatchStream {
  /** What the client asked to see. */
  readonly startRevision: number;
  /** What it came with; logins give `token 1`, `token 2` and so on. */
  readonly token: string | undefined;
  events(revision: number, events: readonly FakeEvent[], fragment?: boolean): void;
  progress(revision: number): void;
  cancel(answer: { readonly reason?: string; readonly compactRevision?: number }): void;
  /** Breaks the stream off. */
  end(): void;
}

export interface FakeEtcd {
  readonly endpoint: string;
  /** What every answer says. */
  clusterId: string;
  revision: number;
  /** Said by the next answers in its place. */
  readonly staleRevisions: number[];
  /** As many next reads get no answer at all, as at a change of the leader. */
  lostReads: number;
  /** What was told of each key, which it answers reads of one key with. */
  readonly told: Map<string, FakeEvent[]>;
  /** In the order in which they were opened. */
  readonly streams: readonly FakeWatchStream[];
  close(): void;
}

interface RangeMessage {
  readonly key: Buffer;
  readonly revision: string;
}

interface WatchMessage {
  readonly create_request?: { readonly start_revision: string } | null;
}

export async function startFakeEtcd(version = '3.5.30'): Promise<FakeEtcd> {
  const server = new Server();
  const streams: FakeWatchStream[] = [];
  const told = new Map<string, FakeEvent[]>();
  let logins = 0;
  const state = { clusterId: '77', revision: 10, staleRevisions: [] as number[], lostReads: 0 };
  const header = () => ({
    cluster_id: state.clusterId,
    member_id: '1',
    revision: String(state.staleRevisions.shift() ?? state.revision),
    raft_term: '2',
  });

  type Reply = sendUnaryData<object>;
  server.addService(await etcdService('KV'), {
    range: ({ request }: ServerUnaryCall<RangeMessage, object>, reply: Reply) => {
      if (state.lostReads > 0) {
        state.lostReads--;
        return;
      }
      const at = Number(request.revision) || Infinity;
      const event = told.get(request.key.toString())?.findLast(({ revision }) => revision <= at);
      const kvs = event?.value === undefined ? [] : [toMessage(event).kv];
      reply(null, { header: header(), kvs, count: String(kvs.length) });
    },
  });
  server.addService(await etcdService('Maintenance'), {
    status: (_: ServerUnaryCall<object, object>, reply: Reply) => reply(null, { header: header(), version, dbSize: '1' }),
    alarm: (_: ServerUnaryCall<object, object>, reply: Reply) => reply(null, { header: header(), alarms: [] }),
  });
  server.addService(await etcdService('Auth'), {
    authenticate: (_: ServerUnaryCall<object, object>, reply: Reply) => reply(null, { header: header(), token: `token ${++logins}` }),
  });
  server.addService(await etcdService('Watch'), {
    watch: (stream: ServerDuplexStream<WatchMessage, object>) => {
      stream.on('error', () => undefined);
      stream.on('end', () => stream.end());
      stream.on('data', ({ create_request: create }: WatchMessage) => {
        if (create === undefined || create === null) return;
        const send = (answer: object): void => {
          stream.write({ header: header(), watch_id: '0', ...answer });
        };
        send({ created: true });
        streams.push({
          startRevision: Number(create.start_revision),
          token: stream.metadata.get('token')[0]?.toString(),
          events: (revision, events, fragment = false) => {
            state.revision = Math.max(state.revision, revision);
            for (const event of events) told.set(event.key, [...(told.get(event.key) ?? []), event]);
            send({ events: events.map(toMessage), fragment });
          },
          progress: (revision) => {
            state.revision = Math.max(state.revision, revision);
            send({});
          },
          cancel: ({ reason = '', compactRevision = 0 }) =>
            send({ canceled: true, cancel_reason: reason, compact_revision: String(compactRevision) }),
          end: () => stream.end(),
        });
      });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return Object.assign(state, { endpoint: `http://127.0.0.1:${port}`, streams, told, close: () => server.forceShutdown() });
}

const toMessage = ({ key, revision, value }: FakeEvent) => ({
  type: value === undefined ? 'Delete' : 'Put',
  kv: { key: Buffer.from(key), mod_revision: String(revision), ...(value === undefined ? {} : { value: Buffer.from(value) }) },
});
