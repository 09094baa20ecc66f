import { openEtcd } from '../../test/support/etcd.ts';
import { openTestBackend } from '../../test/support/etcd-backend.ts';
import { describeObjectStore } from '../../test/registry/object-store-suite.ts';

describeObjectStore('etcd', async () => {
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
