/** `make compare-audit`: the same requests to kube-apiserver and the built program, and their audit events. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { temporaryDirectory } from '../../support/server.ts';
import { openOwn, openReference, type StartedServer } from '../servers.ts';
import { comparable, eventsOf } from './events.ts';
import { CALLS, POLICY } from './requests.ts';

/** Fields in which the two differ on purpose; docs/compatibility.md says why. */
const DIFFERENT = new Set(['apiserver.latency.k8s.io']);

const directory = await temporaryDirectory();
const opened: StartedServer[] = [];
let differences = 0;

function compare(at: string, reference: unknown, own: unknown): void {
  if (isDeepStrictEqual(reference, own)) return;
  const [a, b] = [reference, own] as [Record<string, unknown>, Record<string, unknown>];
  if (isRecord(reference) && isRecord(own)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (![...DIFFERENT].some((prefix) => key.startsWith(prefix))) compare(`${at}.${key}`, a[key], b[key]);
    }
    return;
  }
  differences++;
  process.stdout.write(`${at}\n  kube-apiserver: ${JSON.stringify(reference)}\n  coxswain:       ${JSON.stringify(own)}\n`);
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

try {
  const policy = path.join(directory.path, 'policy.yaml');
  await writeFile(policy, POLICY);
  const logs = { reference: path.join(directory.path, 'reference.log'), own: path.join(directory.path, 'own.log') };
  const reference = await openReference({
    program: process.env['KUBE_APISERVER'],
    flags: { 'audit-policy-file': policy, 'audit-log-path': logs.reference, 'audit-log-mode': 'blocking' },
  });
  opened.push(reference);
  const own = await openOwn('embedded', ['--audit-policy-file', policy, '--audit-log-path', logs.own]);
  opened.push(own);
  const expected = await eventsOf(reference.address, logs.reference);
  const written = await eventsOf(own.address, logs.own);
  for (const [id, events] of expected) {
    const call = CALLS[Number(id.split('-')[1])];
    compare(`${id} ${call?.method ?? ''} ${call?.path ?? ''}`, keyed(events), keyed(written.get(id) ?? []));
  }
  const count = [...expected.values()].flat().length;
  process.stdout.write(`${CALLS.length} requests, ${count} events, ${differences} differences\n`);
} finally {
  for (const server of opened) await server.close();
  await directory.remove();
}
process.exitCode = differences === 0 ? 0 : 1;

/** By stage, in their order. */
function keyed(events: readonly { readonly stage: string }[]): unknown {
  return Object.fromEntries(events.map((event, index) => [`${index} ${event.stage}`, comparable(event)]));
}
