/** Opens the store. Imports only the selected one. */
import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { readAuthorities, readCertifiedKey } from '../../pkg/certificates/tls-files.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import type { Backend } from '../../pkg/storage/backend.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';
import { measureBackend } from './measure-backend.ts';
import { requireBoth } from './require-both.ts';

export interface OpenedBackend {
  readonly backend: Backend;
  /** The name of its health check. */
  readonly name: string;
  /** Location of the objects, for the banner. */
  readonly place: string;
  /** Interval of compactions; absent: the store compacts itself. */
  readonly compactEveryMs?: number;
}

/** PEM. */
interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const COMPACT_EVERY_MS = 5 * 60_000;

export async function openBackend(options: ServeOptions, clock: Clock, log: Log, metrics: Metrics): Promise<OpenedBackend> {
  const { etcdServers, dataDir, historyMaxBytes } = options;
  if (etcdServers !== undefined) return openEtcd(options, etcdServers, clock, log, metrics);
  const { etcdCafile, etcdCertfile, etcdKeyfile, etcdUsername, etcdPasswordFile } = options;
  if ([etcdCafile, etcdCertfile, etcdKeyfile, etcdUsername, etcdPasswordFile].some((given) => given !== undefined)) {
    throw new UsageError('etcd flags require --etcd-servers');
  }
  const { openEmbeddedBackend } = await import('../../pkg/storage/embedded/open-embedded-backend.ts');
  const backend = await openEmbeddedBackend({ dir: dataDir, clock, log, historyMaxBytes });
  return { backend: measureBackend(backend, metrics), name: 'store', place: `embedded store in ${dataDir}` };
}

async function openEtcd(
  options: ServeOptions,
  servers: readonly string[],
  clock: Clock,
  log: Log,
  metrics: Metrics,
): Promise<OpenedBackend> {
  const { etcdClient, etcdPrefix, etcdUsername, etcdPasswordFile } = options;
  requireBoth('--etcd-username', etcdUsername, '--etcd-password-file', etcdPasswordFile);
  const [tls, password] = await Promise.all([readTls(options, clock.now()), readFlagFile('--etcd-password-file', etcdPasswordFile)]);
  const { openEtcdBackend } = await import('../../pkg/storage/etcd/open-etcd-backend.ts');
  const backend = await openEtcdBackend({
    servers,
    prefix: etcdPrefix,
    client: etcdClient,
    clock,
    log,
    metrics: {
      called: (operation, ms, failed) => {
        metrics.storeRequestDurationSeconds.with(operation, '', '').observe(ms / 1000);
        metrics.storeRequestsTotal.with(operation, '', '').inc();
        if (failed) metrics.storeRequestErrorsTotal.with(operation, '', '').inc();
      },
      watchReopened: () => log.info('etcd watch reopened'),
      eventLost: () => metrics.storageRevisionGapsTotal.with().inc(),
    },
    ...(tls.ca || tls.cert || servers.some((server) => server.startsWith('https:')) ? { tls } : {}),
    ...(etcdUsername === undefined ? {} : { username: etcdUsername }),
    ...(password === undefined ? {} : { password: password.toString('utf8').trimEnd() }),
  });
  return { backend, name: 'etcd', place: `etcd at ${servers.join(', ')}`, compactEveryMs: COMPACT_EVERY_MS };
}

/** Validates files early: TLS would fail each connection without naming the file. */
async function readTls({ etcdCafile, etcdCertfile, etcdKeyfile }: ServeOptions, now: number): Promise<TlsFiles> {
  requireBoth('--etcd-certfile', etcdCertfile, '--etcd-keyfile', etcdKeyfile);
  const ca = etcdCafile === undefined ? undefined : await readAuthorities({ flag: '--etcd-cafile', path: etcdCafile }, now);
  const pair =
    etcdCertfile === undefined || etcdKeyfile === undefined
      ? undefined
      : await readCertifiedKey({ flag: '--etcd-certfile', path: etcdCertfile }, { flag: '--etcd-keyfile', path: etcdKeyfile }, now);
  return {
    ...(ca === undefined ? {} : { ca: Buffer.from(ca) }),
    ...(pair === undefined ? {} : { cert: Buffer.from(pair.cert), key: Buffer.from(pair.key) }),
  };
}

async function readFlagFile(flag: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${flag}: ${path} cannot be read: ${errorMessage(error)}`);
  }
}
