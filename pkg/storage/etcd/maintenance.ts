/** What etcd tells of itself. Newer versions keep some of it from users without the right; nothing hangs on it, so it is left out then. */
import { toStorageError } from './call-errors.ts';

/** A call of the Maintenance service, answered with 64-bit numbers as strings. */
export type CallMaintenance = (method: 'status' | 'alarm', request: object) => Promise<Readonly<Record<string, unknown>>>;

/** Of the member that was asked. */
export async function readMemberStatus(call: CallMaintenance): Promise<{ readonly version: string; readonly bytes: number }> {
  const { version, dbSize } = await unlessDenied(call('status', {}));
  return { version: typeof version === 'string' ? version : 'unknown', bytes: Number(dbSize ?? 0) };
}

/** The alarms that are raised, as `etcdctl alarm list` names them. */
export async function readAlarms(call: CallMaintenance): Promise<readonly string[]> {
  const { alarms } = await unlessDenied(call('alarm', { action: 'Get' }));
  return Array.isArray(alarms) ? alarms.map((raised: { readonly alarm?: unknown }) => String(raised.alarm).toUpperCase()) : [];
}

/** What an alarm means for a server, as one sentence. */
export function alarmText(alarms: readonly string[]): string | undefined {
  if (alarms.includes('NOSPACE')) return 'etcd is out of space: compact and defragment it, then disarm its NOSPACE alarm';
  if (alarms.includes('CORRUPT')) return 'etcd found its members to differ (alarm CORRUPT)';
  return undefined;
}

async function unlessDenied(answer: Promise<Readonly<Record<string, unknown>>>): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await answer;
  } catch (error) {
    const failure = toStorageError(error);
    if (failure.code === 'Denied') return {};
    throw failure;
  }
}
