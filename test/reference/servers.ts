/** The two servers: kube-apiserver on an etcd of its own, and the built program on either store. */
import { CONTROLLER_NAMES } from '../../cmd/coxswain/controller-names.ts';
import { freePorts } from '../support/free-port.ts';
import { startEtcd } from '../support/etcd.ts';
import { buildReference, referenceCertificate, startControllers, startReference } from '../support/reference.ts';
import { startSecureServer, temporaryDirectory } from '../support/server.ts';
import { openTestStore, secureFlags, type BackendName } from '../support/test-store.ts';
import { createClient, type Client, type ClientOptions } from './client.ts';

/** Of an admin. */
export const TOKEN = 'a-token-of-the-comparison';
const READY_MS = 120_000;

/** Those that both have, and that are off by default. */
const FEATURES = 'ShardedListAndWatch=true,AllowUnsafeMalformedObjectDeletion=true';

/**
 * Every API that the two have in common, with the features that it needs. Namespaces need not exist, and nothing but
 * the kind's own rules changes an object.
 */
const REFERENCE_FLAGS = {
  'disable-admission-plugins': 'NamespaceLifecycle,ServiceAccount,DefaultStorageClass',
  'runtime-config': 'api/all=true',
  'allow-privileged': 'true',
  // It would write the status of FlowSchemas.
  'enable-priority-and-fairness': 'false',
  'feature-gates': `APIServerIdentity=true,StorageVersionAPI=true,${FEATURES}`,
};

/** For `openOwn`, as the reference: without controllers, since nothing acts beside kube-apiserver. */
export const COMPARED_FLAGS = [
  '--enable-priority-and-fairness=false',
  '--feature-gates',
  FEATURES,
  `--controllers=${CONTROLLER_NAMES.map((name) => `-${name}`).join()}`,
];

export interface StartedServer {
  readonly client: Client;
  readonly address: ClientOptions;
  readonly close: () => Promise<void>;
}

export interface OpenReferenceOptions {
  /** A kube-apiserver that was built before; it is built when there is none. */
  readonly program: string | undefined;
  /** Further flags, which take the place of those here. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Those of kube-controller-manager, a program as above. Default: none. */
  readonly controllers?: { readonly program: string | undefined; readonly names: readonly string[] };
}

export async function openReference({ program, flags, controllers }: OpenReferenceOptions): Promise<StartedServer> {
  const path = program ?? (await buildReference());
  const manager = controllers && (controllers.program ?? (await buildReference('kube-controller-manager')));
  const directory = await temporaryDirectory();
  const etcd = await startEtcd();
  const release = async () => {
    await etcd.close();
    await directory.remove();
  };
  try {
    const [securePort = 0] = await freePorts(1);
    const options = { directory: directory.path, securePort, etcd: etcd.endpoint, token: TOKEN, readyMs: READY_MS };
    const running = await startReference(path, { ...options, flags: { ...REFERENCE_FLAGS, ...flags } });
    const { baseUrl } = running;
    const acting =
      manager === undefined
        ? undefined
        : await startControllers(manager, { ...options, baseUrl, controllers: controllers?.names ?? [] }).catch(async (error: unknown) => {
            await running.kill();
            throw error;
          });
    const address = { url: baseUrl, ca: referenceCertificate(directory.path), token: TOKEN };
    const client = createClient(address);
    return {
      client,
      address,
      close: async () => {
        client.close();
        await acting?.kill();
        // It keeps watches open for a minute when it is asked to end.
        await running.kill();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

export async function openOwn(backend: BackendName, flags: readonly string[] = []): Promise<StartedServer> {
  const store = await openTestStore(backend);
  try {
    const server = await startSecureServer([...secureFlags(store), ...flags], {
      tokens: [{ token: TOKEN, user: 'admin', groups: ['system:masters'] }],
    });
    const address = { url: server.url, ca: server.ca, token: TOKEN };
    const client = createClient(address);
    return {
      client,
      address,
      close: async () => {
        client.close();
        await server.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
