/** Stores with their servers, and what can go wrong between them. */
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../support/api.ts';
import type { EtcdClient } from '../../pkg/storage/etcd/options.ts';
import { openTestBackend } from '../support/etcd-backend.ts';
import { startEtcd, startEtcdCluster, type EtcdProcess } from '../support/etcd.ts';
import { freePorts } from '../support/free-port.ts';
import { startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Server } from './clients.ts';

export const WORLDS = ['one etcd', 'three members', 'embedded', 'one etcd by etcd3', 'three members by etcd3'] as const;
export type WorldName = (typeof WORLDS)[number];

export interface Trouble {
  readonly name: string;
  /**
   * Over when this resolves, though what came of it may not be. `otherServed` waits until writes were served by all
   * servers but this one.
   */
  readonly happen: (otherServed: (server: Server) => Promise<void>) => Promise<void>;
  /** Takes history away. */
  readonly compacts?: true;
  /**
   * Writes and watches of every server go on, and each is ready, this long after it is over. Absent: no promise but
   * that they do.
   */
  readonly recoveryMs?: number;
}

export interface World {
  readonly servers: readonly Server[];
  readonly troubles: readonly Trouble[];
  close(): Promise<void>;
}

/**
 * How long a trouble lasts that ends by itself: long enough for calls to fall into it, and much shorter than any
 * deadline.
 */
const TROUBLE_MS = 300;
/** Long enough that calls, keepalives and reconnections fall into it. */
const LONG_TROUBLE_MS = 5000;
const RECOVERY_MS = 10_000;

export function openWorld(name: WorldName): Promise<World> {
  switch (name) {
    case 'one etcd':
      return openEtcdWorld('native', async () => [await startEtcd()], etcdTroubles);
    case 'one etcd by etcd3':
      return openEtcdWorld('etcd3', async () => [await startEtcd()], etcdTroubles);
    case 'three members':
      return openEtcdWorld('native', startEtcdCluster, memberTroubles);
    case 'three members by etcd3':
      return openEtcdWorld('etcd3', startEtcdCluster, memberTroubles);
    case 'embedded':
      return openEmbeddedWorld();
    default:
      return name satisfies never;
  }
}

/** A server at a fixed address, through all its lives. */
interface Life extends Server {
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function createLife(name: string, flags: readonly string[]): Promise<Life> {
  const [port = 0] = await freePorts(1);
  const api = createApi(`http://127.0.0.1:${port}`);
  let running: ServerProcess | undefined;
  const end = async (by: 'kill' | 'stop') => {
    const ending = running;
    running = undefined;
    await ending?.[by]();
  };
  return {
    name,
    api,
    start: async () => {
      running = await startServer(flags, { port, readyMs: 40_000 });
    },
    kill: () => end('kill'),
    stop: () => end('stop'),
  };
}

const restarts = (life: Life): Trouble[] => [
  {
    name: `${life.name} is killed and started`,
    happen: async () => {
      await life.kill();
      await life.start();
    },
  },
  {
    name: `${life.name} is stopped and started`,
    happen: async () => {
      await life.stop();
      await life.start();
    },
  },
];

async function openEmbeddedWorld(): Promise<World> {
  const directory = await temporaryDirectory();
  const life = await createLife('the server', ['--data-dir', directory.path]);
  await life.start();
  return {
    servers: [life],
    troubles: restarts(life),
    close: async () => {
      life.api.close();
      await life.stop();
      await directory.remove();
    },
  };
}

/** One of two servers, and its way to each member. */
interface Side {
  readonly life: Life;
  readonly proxies: readonly TcpProxy[];
}

async function openEtcdWorld(
  client: EtcdClient,
  startMembers: () => Promise<readonly EtcdProcess[]>,
  troublesOf: typeof etcdTroubles,
): Promise<World> {
  const members = await startMembers();
  const direct = await openTestBackend({ servers: members.map(({ endpoint }) => endpoint) });
  const sides = await Promise.all(
    ['left', 'right'].map(async (name): Promise<Side> => {
      const proxies = await Promise.all(members.map(({ host, port }) => openTcpProxy({ host, port })));
      const endpoints = proxies.map(({ host, port }) => `http://${host}:${port}`).join(',');
      return { life: await createLife(name, ['--etcd-servers', endpoints, '--etcd-client', client]), proxies };
    }),
  );
  await Promise.all(sides.map(({ life }) => life.start()));
  const compact = async () => direct.backend.compact(await direct.backend.currentRevision());
  return {
    servers: sides.map(({ life }) => life),
    troubles: [...sides.flatMap((side) => [...networkTroubles(side, compact), ...restarts(side.life)]), ...troublesOf(members)],
    close: async () => {
      for (const { life } of sides) life.api.close();
      await Promise.all(sides.map(({ life }) => life.stop()));
      await direct.backend.close();
      await Promise.all(sides.flatMap(({ proxies }) => proxies.map((proxy) => proxy.close())));
      await Promise.all(members.map((member) => member.close()));
    },
  };
}

function networkTroubles({ life, proxies }: Side, compact: () => Promise<void>): Trouble[] {
  const each = (act: (proxy: TcpProxy) => void) => {
    for (const proxy of proxies) act(proxy);
  };
  const leave = () =>
    each((proxy) => {
      proxy.accept(false);
      proxy.cut();
    });
  return [
    { name: `${life.name}: connections are cut`, happen: async () => each((proxy) => proxy.cut()) },
    {
      name: `${life.name}: etcd cannot be reached for a while`,
      happen: async () => {
        leave();
        await pause(TROUBLE_MS);
        each((proxy) => proxy.accept(true));
      },
    },
    {
      name: `${life.name}: the network is slow`,
      happen: async () => {
        each((proxy) => proxy.delay(40));
        await pause(TROUBLE_MS);
        each((proxy) => proxy.delay(0));
      },
    },
    {
      name: `${life.name}: replies wait`,
      happen: async () => {
        each((proxy) => proxy.holdReplies(true));
        await pause(TROUBLE_MS);
        each((proxy) => proxy.holdReplies(false));
      },
    },
    {
      name: `${life.name}: replies are lost, then the connections`,
      happen: async () => {
        each((proxy) => proxy.swallowReplies(true));
        await pause(TROUBLE_MS);
        each((proxy) => proxy.cut());
        each((proxy) => proxy.swallowReplies(false));
      },
    },
    {
      name: `${life.name}: nothing passes, then the connections are lost`,
      happen: async () => {
        each((proxy) => proxy.blackHole(true));
        await pause(TROUBLE_MS);
        each((proxy) => proxy.cut());
        each((proxy) => proxy.blackHole(false));
      },
    },
    ...[TROUBLE_MS, LONG_TROUBLE_MS].map((ms) => ({
      name: `${life.name}: nothing passes for ${ms} ms, and then only over new connections`,
      recoveryMs: RECOVERY_MS,
      happen: async () => {
        each((proxy) => proxy.blackHole(true));
        await pause(ms);
        each((proxy) => {
          proxy.strand();
          proxy.blackHole(false);
        });
      },
    })),
    {
      name: `${life.name}: what happens while etcd cannot be reached is compacted`,
      compacts: true,
      happen: async (otherServed) => {
        leave();
        await otherServed(life);
        await compact();
        each((proxy) => proxy.accept(true));
      },
    },
  ];
}

function etcdTroubles(members: readonly EtcdProcess[]): Trouble[] {
  return members.map((etcd) => ({
    name: 'etcd is killed and started',
    happen: async () => {
      await etcd.kill('SIGKILL');
      await etcd.start();
    },
  }));
}

function memberTroubles(members: readonly EtcdProcess[]): Trouble[] {
  const leader = async (): Promise<EtcdProcess> => {
    for (;;) {
      for (const member of members) if (await member.isLeader()) return member;
      await pause(50);
    }
  };
  return [
    {
      name: 'the leader is killed, and started when there is another one',
      happen: async () => {
        const killed = await leader();
        await killed.kill('SIGKILL');
        await pause(4 * TROUBLE_MS);
        await killed.start();
      },
    },
    {
      name: 'the leader stands still until there is another one',
      happen: async () => {
        const held = await leader();
        held.pause();
        await pause(4 * TROUBLE_MS);
        held.resume();
      },
    },
    ...members.map((member, index) => ({
      name: `member ${index} stands still for a while`,
      happen: async () => {
        member.pause();
        await pause(LONG_TROUBLE_MS);
        member.resume();
      },
    })),
    {
      name: 'a member is stopped and started',
      happen: async () => {
        const [member] = members;
        await member?.kill('SIGTERM');
        await pause(TROUBLE_MS);
        await member?.start();
      },
    },
  ];
}
