/** The heartbeat of a server: the key `/servers/<id>`. Its value has the timeout, since settings may differ. */
import type { Backend, RangePage, Revision, StoredRecord } from '../../storage/backend.ts';
import { type Key, keyAfter, keyText, prefixEnd, toKey } from '../../storage/keys.ts';
import { decodeRecord } from '../../storage/record.ts';
import { type CompareAndSet, compareAndSet } from '../compare-and-set.ts';

const PREFIX = toKey('/servers/');
const PAGE = 500;
const PAGE_BYTES = 1 << 20;

export const serverKey = (id: string): Key => toKey(`/servers/${id}`);

export interface Heartbeat {
  /** Distinguishes processes with the same id. */
  readonly instance: string;
  /** Time without a change after which the server is dead. */
  readonly timeoutMs: number;
  /** Another server has declared this one dead and is removing its entries. */
  readonly gone: boolean;
}

export interface SeenServer {
  readonly id: string;
  readonly revision: Revision;
  /** Undefined when the value is not valid. */
  readonly heartbeat: Heartbeat | undefined;
}

export async function readServer(backend: Pick<Backend, 'get'>, id: string): Promise<SeenServer | undefined> {
  const { record } = await backend.get(serverKey(id));
  return record === undefined ? undefined : toSeen(record);
}

/** All servers at some moment after the call. */
export async function listServers(backend: Pick<Backend, 'range'>): Promise<readonly SeenServer[]> {
  const servers: SeenServer[] = [];
  for (let start: Key | undefined = PREFIX; start !== undefined;) {
    const page: RangePage = await backend.range({ start, end: prefixEnd(PREFIX), limit: PAGE, maxBytes: PAGE_BYTES });
    servers.push(...page.records.map(toSeen));
    const last: StoredRecord | undefined = page.records.at(-1);
    start = page.more && last !== undefined ? keyAfter(last.key) : undefined;
  }
  return servers;
}

/** Returns and throws as `compareAndSet`. */
export const writeHeartbeat = (
  { backend, random }: Pick<CompareAndSet, 'backend' | 'random'>,
  id: string,
  ifRevision: Revision,
  heartbeat: Heartbeat,
): Promise<Revision | undefined> => compareAndSet({ backend, random, key: serverKey(id), ifRevision, content: heartbeat });

function toSeen({ key, revision, value }: StoredRecord): SeenServer {
  return { id: keyText(key).slice(PREFIX.length), revision, heartbeat: parseHeartbeat(decodeRecord(value)?.json) };
}

/** Undefined when another program wrote the value. */
function parseHeartbeat(json: Buffer | undefined): Heartbeat | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json?.toString('utf8') ?? 'null');
  } catch {
    return undefined;
  }
  const { instance, timeoutMs, gone } = (parsed ?? {}) as Partial<Record<keyof Heartbeat, unknown>>;
  if (typeof instance !== 'string' || typeof timeoutMs !== 'number') return undefined;
  return { instance, timeoutMs, gone: gone === true };
}
