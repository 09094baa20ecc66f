import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ETCD_CLIENTS, openTestBackend, type TestBackend } from '../../../test/support/etcd-backend.ts';
import { startFakeEtcd, type FakeEtcd } from '../../../test/support/fake-etcd.ts';
import { deadline, waitFor } from '../../../test/support/wait.ts';
import { record } from '../../../test/storage/recording.ts';
import { NO_REVISION } from '../backend.ts';

/** etcd itself fails such a read after 7 s. */
const TOO_LATE_MS = 5000;

describe.each(ETCD_CLIENTS)('reads that etcd loses at a change of its leader, by the %s client,', (client) => {
  let etcd: FakeEtcd;
  let opened: TestBackend;
  beforeEach(async () => {
    etcd = await startFakeEtcd();
    opened = await openTestBackend({ client, servers: [etcd.endpoint, etcd.endpoint] });
  });
  afterEach(async () => {
    etcd.close();
    await opened.backend.close();
  });

  it('are repeated, so that a consistent read does not wait for the timeout of etcd', async () => {
    etcd.lostReads = 2;
    expect(await deadline(opened.backend.currentRevision(), TOO_LATE_MS, 'the revision')).toBe(10);
  });

  it('do not keep a watch from being opened', async () => {
    etcd.lostReads = 1;
    const watch = record({ backend: opened.backend, from: NO_REVISION });
    await waitFor(() => etcd.streams.length > 0, { what: 'the watch to be opened', timeoutMs: TOO_LATE_MS });
    await watch.stop();
  });
});
