/** The server that the controllers work on: HTTPS, with the admin's kubeconfig; it can be started again. */
import { BatchV1Api, CoordinationV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startSecureServer, temporaryDirectory, type SecureServer } from '../support/server.ts';
import { openTestStore, secureFlags, type BackendName } from '../support/test-store.ts';

export interface Apis {
  readonly batch: BatchV1Api;
  readonly core: CoreV1Api;
  readonly coordination: CoordinationV1Api;
}

export interface Target {
  readonly backend: BackendName;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  readonly apis: Apis;
  /** The same data on the same port, after a stop. */
  readonly restart: () => Promise<void>;
  /** Throws when the server does not end in good order. */
  readonly close: () => Promise<void>;
}

export async function openTarget(backend: BackendName): Promise<Target> {
  const store = await openTestStore(backend);
  const directory = await temporaryDirectory();
  const release = async () => {
    await directory.remove();
    await store.close();
  };
  try {
    const start = (port?: number) =>
      startSecureServer(secureFlags(store), { dataDir: directory.path, ...(port === undefined ? {} : { port }) });
    let server: SecureServer = await start();
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    return {
      backend,
      kubeconfig: server.kubeconfig,
      apis: {
        batch: config.makeApiClient(BatchV1Api),
        core: config.makeApiClient(CoreV1Api),
        coordination: config.makeApiClient(CoordinationV1Api),
      },
      restart: async () => {
        await server.stop();
        server = await start(server.port);
      },
      close: async () => {
        try {
          await server.stop();
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
