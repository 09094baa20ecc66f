/**
 * kubectl over HTTPS as its users have it: with the kubeconfig that the server wrote for its admin, on either store.
 */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createApi, type Api } from '../support/api.ts';
import { freePorts } from '../support/free-port.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { BACKENDS, openTestStore, type BackendName, type TestStore } from '../support/test-store.ts';

export interface KubectlSuite {
  readonly backend: BackendName;
  readonly kubectl: Kubectl;
  readonly server: SecureServer;
  /** The same server on its insecure port: prepares what kubectl meets, and shows what it left behind. */
  readonly api: Api;
}

/** One server per file and store, shared by all tests in `body`; its members are there once the tests run. */
export function describeKubectl(
  title: string,
  body: (suite: KubectlSuite) => void,
  { flags: more = [] }: { readonly flags?: readonly string[] } = {},
): void {
  describe.each(BACKENDS)(`${title} › on %s`, (backend) => {
    let open: { readonly store: TestStore; readonly suite: KubectlSuite } | undefined;
    const suite = (): KubectlSuite => {
      if (open === undefined) throw new Error('the server is not running');
      return open.suite;
    };
    beforeAll(async () => {
      const store = await openTestStore(backend);
      const [port = 0] = await freePorts(1);
      // The embedded store stands in the data folder, which is the server's own.
      const flags = backend === 'etcd' ? store.flags : [];
      const server = await startSecureServer([...flags, '--insecure-port', String(port), ...more]);
      const kubectl = await openKubectl({ kubeconfig: () => server.kubeconfig });
      open = { store, suite: { backend, kubectl, server, api: createApi(`http://127.0.0.1:${port}`) } };
    }, 60_000);
    afterAll(async () => {
      open?.suite.api.close();
      await open?.suite.kubectl.close();
      await open?.suite.server.stop();
      await open?.store.close();
    }, 30_000);
    body({
      backend,
      get kubectl() {
        return suite().kubectl;
      },
      get server() {
        return suite().server;
      },
      get api() {
        return suite().api;
      },
    });
  });
}
