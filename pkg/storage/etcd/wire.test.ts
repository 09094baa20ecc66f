/** Compares the codec with the generated one of the `etcd3` package. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MethodDefinition } from '@grpc/grpc-js';
import { etcdService } from '../../../test/support/etcd-services.ts';
import { decodeAlarms, decodeStatus } from './maintenance.ts';
import { createDecoder, encodeCompact, encodeRange, encodeTxn, encodeWatchCreate, encodeWatchProgress } from './wire.ts';

type Method = MethodDefinition<object, object>;

describe('the messages of etcd', () => {
  let methods: Record<'Range' | 'Txn' | 'Compact' | 'Watch' | 'Status' | 'Alarm', Method>;
  const decoder = createDecoder('/p');
  beforeAll(async () => {
    const [kv, watch, maintenance] = await Promise.all([etcdService('KV'), etcdService('Watch'), etcdService('Maintenance')]);
    const find = (name: string): Method => {
      const found = Object.entries({ ...kv, ...watch, ...maintenance }).find(([key]) => key.toLowerCase() === name.toLowerCase());
      if (found === undefined) throw new Error(`no method ${name}`);
      return found[1];
    };
    methods = {
      Range: find('Range'),
      Txn: find('Txn'),
      Compact: find('Compact'),
      Watch: find('Watch'),
      Status: find('Status'),
      Alarm: find('Alarm'),
    };
  });

  const text = fc.string({ unit: 'binary', maxLength: 300 }).map((value) => Buffer.from(value).toString('latin1'));
  const revision = fc.maxSafeNat();
  const bytes = (value: string) => Buffer.from(value, 'latin1');

  it('encodes a range', () => {
    fc.assert(
      fc.property(text, text, revision, revision, (key, end, limit, at) => {
        expect(methods.Range.requestDeserialize(encodeRange({ key, end, limit, revision: at, keysOnly: true }))).toMatchObject({
          key: bytes(key),
          range_end: bytes(end),
          limit: String(limit),
          revision: String(at),
          keys_only: true,
        });
      }),
    );
  });

  it('encodes a transaction that compares, then writes or deletes, else reads', () => {
    fc.assert(
      fc.property(text, revision, fc.option(fc.uint8Array({ maxLength: 5000 })), (key, ifRevision, value) => {
        const message = methods.Txn.requestDeserialize(encodeTxn({ key, ifRevision, value }));
        expect(message).toMatchObject({
          compare: [{ result: 'Equal', target: 'Mod', key: bytes(key), mod_revision: String(ifRevision) }],
          success: [
            value === null
              ? { request_delete_range: { key: bytes(key) } }
              : { request_put: { key: bytes(key), value: Buffer.from(value) } },
          ],
          failure: [{ request_range: { key: bytes(key) } }],
        });
      }),
    );
  });

  it('encodes a compaction, a watch and a progress request', () => {
    expect(methods.Compact.requestDeserialize(encodeCompact(12345678901))).toMatchObject({ revision: '12345678901' });
    expect(methods.Watch.requestDeserialize(encodeWatchCreate({ key: '\0', end: '\0', startRevision: 5 }))).toMatchObject({
      create_request: { key: bytes('\0'), range_end: bytes('\0'), start_revision: '5', progress_notify: true },
    });
    // The definitions of the package lack progress requests and fragments; the field numbers are those of rpc.proto.
    expect(encodeWatchProgress()).toEqual(Buffer.from([0x1a, 0x00]));
    expect(encodeWatchCreate({ key: 'k', end: 'l', startRevision: 5 })).toEqual(
      Buffer.from([0x0a, 0x0c, 0x0a, 1, 107, 0x12, 1, 108, 0x18, 5, 0x20, 1, 0x40, 1]),
    );
  });

  const header = { cluster_id: '18446744073709551615', member_id: '9223372036854775809', raft_term: '3' };

  it('reads ranges, and removes the prefix from keys', () => {
    fc.assert(
      fc.property(revision, revision, fc.array(fc.tuple(text, revision, fc.uint8Array({ maxLength: 5000 }))), (now, count, kvs) => {
        const message = methods.Range.responseSerialize({
          header: { ...header, revision: String(now) },
          kvs: kvs.map(([key, at, value]) => ({
            key: bytes(`/p/${key}`),
            mod_revision: String(at),
            create_revision: '7',
            version: '300',
            lease: '-1',
            value,
          })),
          more: true,
          count: String(count),
        });
        expect(decoder.range(message)).toEqual({
          header: { clusterId: 'ffffffffffffffff', revision: now },
          records: kvs.map(([key, at, value]) => ({ key: `/${key}`, revision: at, value: Buffer.from(value) })),
          more: true,
          count,
        });
      }),
    );
  });

  it('reads transactions that succeeded, and the current record of those that did not', () => {
    const kv = { key: bytes('/p/a'), mod_revision: '9', value: Buffer.from('x') };
    const serialize = (answer: object) => methods.Txn.responseSerialize({ header: { ...header, revision: '12' }, ...answer });
    expect(decoder.txn(serialize({ succeeded: true, responses: [{ response_put: { header: { revision: '12' } } }] }))).toEqual({
      header: { clusterId: 'ffffffffffffffff', revision: 12 },
      succeeded: true,
    });
    expect(decoder.txn(serialize({ responses: [{ response_range: { kvs: [kv], count: '1' } }] }))).toMatchObject({
      succeeded: false,
      current: { key: '/a', revision: 9, value: Buffer.from('x') },
    });
    expect(decoder.txn(serialize({ responses: [{ response_range: {} }] }))).not.toHaveProperty('current');
  });

  it('reads watch responses with deletions, foreign keys and negative ids', () => {
    const message = methods.Watch.responseSerialize({
      header: { ...header, revision: '12' },
      watch_id: '-1',
      events: [
        { type: 'Put', kv: { key: bytes('/p/a'), mod_revision: '11', value: Buffer.from('x') } },
        { type: 'Delete', kv: { key: bytes('/p/b'), mod_revision: '12' } },
        { type: 'Put', kv: { key: bytes('/px'), mod_revision: '12', value: Buffer.from('y') } },
      ],
    });
    expect(decoder.watch(message).events).toEqual([
      { revision: 11, key: '/a', record: { key: '/a', revision: 11, value: Buffer.from('x') } },
      { revision: 12, key: '/b', record: undefined },
      { revision: 12, key: undefined, record: undefined },
    ]);
    const canceled = methods.Watch.responseSerialize({
      header,
      canceled: true,
      created: true,
      compact_revision: '5',
      cancel_reason: 'späť',
    });
    expect(decoder.watch(canceled)).toMatchObject({ canceled: true, created: true, compactRevision: 5, cancelReason: 'späť', events: [] });
  });

  it('reads the status of a member, and alarms', () => {
    const status = methods.Status.responseSerialize({ header, version: '3.5.13', dbSize: '6442450944', leader: '7', raftIndex: '8' });
    expect(decodeStatus(status)).toEqual({ version: '3.5.13', bytes: 6_442_450_944 });
    expect(decodeStatus(methods.Status.responseSerialize({ header }))).toEqual({ version: 'unknown', bytes: 0 });
    const alarms = [{ memberID: '18446744073709551615', alarm: 'Nospace' }, { alarm: 2 }, { alarm: 7 }, { memberID: '1' }];
    expect(decodeAlarms(methods.Alarm.responseSerialize({ header, alarms }))).toEqual(['NOSPACE', 'CORRUPT', 'ALARM 7', 'NONE']);
    // The request is an empty message.
    expect(methods.Alarm.requestDeserialize(Buffer.alloc(0))).toMatchObject({ action: 'Get' });
  });

  it('copies no value', () => {
    const message = methods.Range.responseSerialize({ header, kvs: [{ key: bytes('/p/a'), value: Buffer.from('value') }] });
    expect(decoder.range(message).records[0]?.value.buffer).toBe(message.buffer);
  });

  it('reads a changed cluster id', () => {
    const answer = (id: string) => decoder.range(methods.Range.responseSerialize({ header: { cluster_id: id } })).header.clusterId;
    expect([answer('1'), answer('1'), answer('255'), answer('1')]).toEqual(['1', '1', 'ff', '1']);
  });

  it('never returns a record of a truncated message', () => {
    const message = methods.Range.responseSerialize({
      header,
      kvs: [{ key: bytes('/p/a'), mod_revision: '300', value: Buffer.alloc(100) }],
    });
    const recordsIn = (cut: Buffer): number => {
      try {
        return decoder.range(cut).records.length;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return 0;
      }
    };
    const whole = Array.from({ length: message.length }, (_, length) => recordsIn(message.subarray(0, length))).findIndex(
      (count) => count > 0,
    );
    // At most the two bytes of trailing flags and counts may be missing.
    expect(whole === -1 || whole >= message.length - 2).toBe(true);
  });
});
