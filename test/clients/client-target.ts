/** The server that the programs talk to: HTTPS with the certificates that it made itself, on a store of its own. */
import { createApi, type Api } from '../support/api.ts';
import { freePorts } from '../support/free-port.ts';
import { startSecureServer } from '../support/server.ts';
import { openTestStore, secureFlags, type BackendName } from '../support/test-store.ts';

export interface ClientTarget {
  readonly backend: BackendName;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  /** What is in the namespace, as `cronjobs/nightly`. */
  readonly objectsIn: (namespace: string) => Promise<readonly string[]>;
  /** Throws when the server does not end in good order. */
  readonly close: () => Promise<void>;
}

export async function openClientTarget(backend: BackendName): Promise<ClientTarget> {
  const store = await openTestStore(backend);
  try {
    // For us alone, to look what a program left behind.
    const [port = 0] = await freePorts(1);
    const server = await startSecureServer([...secureFlags(store), '--insecure-port', String(port)]);
    const api = createApi(`http://127.0.0.1:${port}`);
    const killAtExit = () => server.signal('SIGKILL');
    process.once('exit', killAtExit);
    return {
      backend,
      kubeconfig: server.kubeconfig,
      objectsIn: (namespace) => objectsIn(api, namespace),
      close: async () => {
        process.removeListener('exit', killAtExit);
        api.close();
        try {
          await server.stop();
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface GroupList {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}
interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly namespaced: boolean; readonly verbs: readonly string[] }[];
}

/** Of every resource that discovery names. */
async function objectsIn(api: Api, namespace: string): Promise<readonly string[]> {
  const read = async (path: string): Promise<unknown> => {
    const answer = await api.get(path);
    if (answer.code !== 200) throw new Error(`GET ${path}: ${answer.code} ${answer.text}`);
    return answer.json();
  };
  const { groups } = (await read('/apis')) as GroupList;
  const paths = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
  const found: string[] = [];
  for (const path of paths) {
    const { resources } = (await read(path)) as ResourceList;
    for (const { name } of resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'))) {
      const list = await api.get(`${path}/namespaces/${namespace}/${name}`);
      found.push(...list.list().items.map(({ metadata }) => `${name}/${metadata.name}`));
    }
  }
  return found;
}
