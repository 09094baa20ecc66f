/** Status and alarms of etcd. Newer versions deny them to some users; they are optional, and then left out. */
import { toStorageError } from './call-errors.ts';
import type { UnaryCall } from './transport.ts';
import { ProtobufReader } from './protobuf.ts';

const UNKNOWN = { version: 'unknown', bytes: 0 };

/** Indexed by their protobuf numbers. */
const ALARM_NAMES = ['NONE', 'NOSPACE', 'CORRUPT'];

const EMPTY = Buffer.alloc(0);

const STATUS: UnaryCall<MemberStatus> = { path: '/etcdserverpb.Maintenance/Status', message: EMPTY, decode: decodeStatus };

/** An empty request lists the alarms. */
const ALARMS: UnaryCall<readonly string[]> = { path: '/etcdserverpb.Maintenance/Alarm', message: EMPTY, decode: decodeAlarms };

interface MemberStatus {
  readonly version: string;
  readonly bytes: number;
}

export type Call = <Answer>(call: UnaryCall<Answer>) => Promise<Answer>;

export const readMemberStatus = (call: Call): Promise<MemberStatus> => unlessDenied(call(STATUS), UNKNOWN);

/** Active alarms, named as by `etcdctl alarm list`. */
export const readAlarms = (call: Call): Promise<readonly string[]> => unlessDenied(call(ALARMS), []);

export function alarmText(alarms: readonly string[]): string | undefined {
  if (alarms.includes('NOSPACE')) return 'etcd is out of space: compact and defragment it, then disarm its NOSPACE alarm';
  if (alarms.includes('CORRUPT')) return 'etcd found that its members differ (alarm CORRUPT)';
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
