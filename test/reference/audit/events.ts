/** The events that a server writes for the calls, in a form that does not depend on the server or the time. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { waitFor } from '../../support/wait.ts';
import type { ClientOptions } from '../client.ts';
import { type AuditedCall, CALLS } from './requests.ts';

export interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly [field: string]: unknown;
}

const WRITTEN_MS = 30_000;
const idOf = (index: number): string => `call-${index}`;

/** Sends all calls, one after the other, and reads what the server wrote about them to `file`. */
export async function eventsOf(server: ClientOptions, file: string): Promise<ReadonlyMap<string, readonly AuditEvent[]>> {
  for (const [index, call] of CALLS.entries()) await send(server, call, idOf(index));
  const last = idOf(CALLS.length - 1);
  await waitFor(async () => (await read(file)).some(({ auditID, stage }) => auditID === last && stage === 'ResponseComplete'), {
    what: `the events of ${last}`,
    timeoutMs: WRITTEN_MS,
  });
  const events = await read(file);
  return new Map(CALLS.map((_, index) => [idOf(index), events.filter(({ auditID }) => auditID === idOf(index))]));
}

const read = async (file: string): Promise<readonly AuditEvent[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEvent);

async function send({ url, ca, token }: ClientOptions, { method, path, body, headers }: AuditedCall, id: string): Promise<void> {
  const all = { authorization: `Bearer ${token}`, 'user-agent': 'audit/1.0', 'audit-id': id, ...headers };
  const sent = request(url + path, { method, ca, headers: all, agent: false });
  sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  const [message] = (await once(sent, 'response')) as [IncomingMessage];
  message.resume();
  await once(message, 'end');
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Uids, times, versions and generated names have placeholders. */
export function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner, key)]));
  if (typeof value !== 'string') return value;
  if (name === 'resourceVersion') return 'version';
  return value
    .replaceAll(UID, 'uid')
    .replaceAll(TIME, 'time')
    .replaceAll(/\bg-[a-z0-9]{5}\b/g, 'g-suffix');
}
