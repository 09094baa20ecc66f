import { describeGarbageCollector } from '../../../test/controllers/garbage-collector-suite.ts';
import { openTestBackend } from '../../../test/support/etcd-backend.ts';
import { openEtcd } from '../../../test/support/etcd.ts';

describeGarbageCollector('etcd', async () => {
  const etcd = await openEtcd();
  const { backend } = await openTestBackend({ servers: etcd.endpoints });
  return {
    backend,
    close: async () => {
      await backend.close();
      await etcd.close();
    },
  };
});
