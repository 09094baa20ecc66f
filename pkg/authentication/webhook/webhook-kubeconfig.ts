/** The kubeconfig of a webhook: where it is, how it is verified, and as whom it is asked. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  assertNoProblems,
  ConfigFileError,
  type ConfigProblem,
  parseConfigDocument,
} from '../../apimachinery/config-file/config-document.ts';
import { type ConfigShape, shapeProblems } from '../../apimachinery/config-file/config-shape.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { RemoteServer } from '../remote/request-json.ts';

export interface Webhook {
  readonly url: string;
  readonly server: RemoteServer;
}

interface Written {
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: WrittenCluster }[];
  readonly users?: readonly { readonly name?: string; readonly user?: WrittenUser }[];
  readonly contexts?: readonly { readonly name?: string; readonly context?: { readonly cluster?: string; readonly user?: string } }[];
  readonly 'current-context'?: string;
}

interface WrittenCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
}

interface WrittenUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

const texts = (...names: readonly string[]): ConfigShape => ({ fields: Object.fromEntries(names.map((name) => [name, 'string'])) });

const SHAPE: ConfigShape = {
  fields: {
    kind: 'string',
    apiVersion: 'string',
    preferences: texts(),
    'current-context': 'string',
    clusters: {
      list: {
        fields: { name: 'string', cluster: texts('server', 'certificate-authority', 'certificate-authority-data', 'tls-server-name') },
      },
    },
    users: {
      list: {
        fields: {
          name: 'string',
          user: texts('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data', 'token', 'tokenFile'),
        },
      },
    },
    contexts: { list: { fields: { name: 'string', context: texts('cluster', 'user', 'namespace') } } },
  },
};

/** Throws ConfigFileError with one sentence. */
export async function readWebhookKubeconfig(path: string): Promise<Webhook> {
  const document = parseConfigDocument(await readText(path), path);
  assertNoProblems(shapeProblems(SHAPE, document.value), path, document);
  const written = (document.value ?? {}) as Written; // checked by its shape
  const { cluster, user, at } = currentOf(written);
  const problems: readonly ConfigProblem[] =
    cluster?.server?.startsWith('https:') && URL.canParse(cluster.server)
      ? []
      : [{ path: at, message: 'must name a cluster whose server is an https URL' }];
  assertNoProblems(problems, path, document);
  const pem = async (data: string | undefined, file: string | undefined) => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    return file === undefined ? undefined : readText(resolve(dirname(path), file));
  };
  const [ca, cert, key, token] = await Promise.all([
    pem(cluster?.['certificate-authority-data'], cluster?.['certificate-authority']),
    pem(user?.['client-certificate-data'], user?.['client-certificate']),
    pem(user?.['client-key-data'], user?.['client-key']),
    user?.tokenFile === undefined ? user?.token : readText(resolve(dirname(path), user.tokenFile)),
  ]);
  return {
    url: cluster?.server ?? '',
    server: { ca, cert, key, serverName: cluster?.['tls-server-name'], bearerToken: token?.trim() },
  };
}

/** Of the current context; without one, the first cluster and user. */
function currentOf({ clusters = [], users = [], contexts = [], 'current-context': current }: Written) {
  const context = contexts.find(({ name }) => name === current)?.context;
  if (current !== undefined && current !== '') {
    return {
      cluster: clusters.find(({ name }) => name === context?.cluster)?.cluster,
      user: users.find(({ name }) => name === context?.user)?.user,
      at: 'current-context',
    };
  }
  return { cluster: clusters[0]?.cluster, user: users[0]?.user, at: 'clusters' };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigFileError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}
