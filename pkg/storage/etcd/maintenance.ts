/**
 * What etcd tells of itself. Newer versions keep some of it from users without the right; nothing hangs on it, so it is
 * left out then.
 */
import { toStorageError } from './call-errors.ts';
import type { UnaryCall } from './transport.ts';
import { ProtobufReader } from './protobuf.ts';

const UNKNOWN = { version: 'unknown', bytes: 0 };

/** By their numbers. */
const ALARM_NAMES = ['NONE', 'NOSPACE', 'CORRUPT'];

const EMPTY = Buffer.alloc(0);

const STATUS: UnaryCall<MemberStatus> = { path: '/etcdserverpb.Maintenance/Status', message: EMPTY, decode: decodeStatus };

/** An empty request is the one that gets alarms; others raise and disarm them. */
const ALARMS: UnaryCall<readonly string[]> = { path: '/etcdserverpb.Maintenance/Alarm', message: EMPTY, decode: decodeAlarms };

export interface MemberStatus {
  readonly version: string;
  readonly bytes: number;
}

export type Call = <Answer>(call: UnaryCall<Answer>) => Promise<Answer>;

/** Of the member that was asked. */
export const readMemberStatus = (call: Call): Promise<MemberStatus> => unlessDenied(call(STATUS), UNKNOWN);

/** The alarms that are raised, as `etcdctl alarm list` names them. */
export const readAlarms = (call: Call): Promise<readonly string[]> => unlessDenied(call(ALARMS), []);

/** What an alarm means for a server, as one sentence. */
export function alarmText(alarms: readonly string[]): string | undefined {
  if (alarms.includes('NOSPACE')) return 'etcd is out of space: compact and defragment it, then disarm its NOSPACE alarm';
  if (alarms.includes('CORRUPT')) return 'etcd found its members to differ (alarm CORRUPT)';
  return undefined;
}

async function unlessDenied<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    const failure = toStorageError(error);
    if (failure.code === 'Denied') return otherwise;
    throw failure;
  }
}

export function decodeStatus(buffer: Buffer): MemberStatus {
  const reader = new ProtobufReader(buffer);
  const status = { ...UNKNOWN };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) status.version = reader.text();
    else if (field === 3) status.bytes = reader.number();
    else reader.skip();
  }
  return status;
}

export function decodeAlarms(buffer: Buffer): readonly string[] {
  const reader = new ProtobufReader(buffer);
  const alarms: string[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) alarms.push(decodeAlarm(reader.message()));
    else reader.skip();
  }
  return alarms;
}

function decodeAlarm(reader: ProtobufReader): string {
  let type = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) type = reader.number();
    else reader.skip();
  }
  return ALARM_NAMES[type] ?? `ALARM ${type}`;
}
