import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { openEtcd, type Etcd } from '../../../test/support/etcd.ts';
import { ETCD_CLIENTS } from '../../../test/support/etcd-backend.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { describeBackend } from '../../../test/storage/backend-contract.ts';
import { openEtcdBackend } from './open-etcd-backend.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let etcd: Etcd | undefined;
beforeAll(async () => {
  etcd = await openEtcd();
}, 300_000);
afterAll(() => etcd?.close());

for (const client of ETCD_CLIENTS) {
  describeBackend(
    client === 'native' ? 'etcd' : `etcd, by the ${client} client`,
    async () => {
      const prefix = `/test-${randomBytes(6).toString('hex')}`;
      const open = () => openEtcdBackend({ servers: etcd?.endpoints ?? [], prefix, clock: systemClock, log: silent, client });
      let backend = await open();
      return {
        backend,
        reopen: async () => {
          await backend.close();
          backend = await open();
          return backend;
        },
        close: () => backend.close(),
      };
    },
    { progress: false, tooLargeValueBytes: 3_000_000 },
  );
}
