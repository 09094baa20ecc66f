/** `coxswain serve`: the composition root. Opens store, cache, chain and listeners; a signal closes them in reverse. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { YamlReader } from '../../pkg/apimachinery/yaml/yaml-reader.ts';
import { createAdmissionChain } from '../../pkg/admission/admission.ts';
import { createNamespaceLifecycle } from '../../pkg/admission/namespace-lifecycle/namespace-lifecycle.ts';
import { isView } from '../../pkg/apis/kind-view.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { createReviews } from '../../pkg/apis/reviews.gen.ts';
import { PKI_FOLDER } from '../../pkg/certificates/pki.ts';
import { createLog, type Log } from '../../pkg/observability/logging.ts';
import { createMetrics } from '../../pkg/observability/metrics.ts';
import { measureEventLoop } from '../../pkg/observability/event-loop.ts';
import { openSystemNamespaces } from '../../pkg/controllers/namespaces/system-namespaces.ts';
import { openBootstrapRoles } from '../../pkg/controllers/rbac/bootstrap-roles.ts';
import { checkGroupSuffix } from '../../pkg/registry/group-suffix-setting.ts';
import { createNamespaces } from '../../pkg/registry/namespaces.ts';
import { openRegistry } from '../../pkg/registry/registry.ts';
import { isStorageVersion, openStorageVersions } from '../../pkg/registry/storage-versions/open-storage-versions.ts';
import { createApi } from '../../pkg/server/create-api.ts';
import { toGitVersion, toPlatform } from '../../pkg/server/discovery/version.ts';
import { reachableHost } from '../../pkg/server/lifecycle/listener.ts';
import { checkCredentials } from '../../pkg/server/filters/credential-check.ts';
import { OpenRequests } from '../../pkg/server/filters/drain.ts';
import { AllowedOrigins } from '../../pkg/server/filters/origins.ts';
import { PlainEntryMemory } from '../../pkg/watchcache/store/entry-memory.ts';
import { openAccess } from './access.ts';
import { createAuthentication, openSigningKey } from './authentication.ts';
import { openAuthenticationFiles } from './authentication-files.ts';
import { banner, type BannerOptions } from './banner.ts';
import { openCertificates } from './certificates.ts';
import { openControllers } from './controllers.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';
import { openAuditor } from './open-auditor.ts';
import { openFlowControl } from './flow-control.ts';
import { openBackend } from './open-backend.ts';
import { readLimits, warnOfFewFiles } from './open-files.ts';
import { openListeners, STOP_GRACE_MS } from './open-listeners.ts';
import { assertManifestFolder, openManifests } from './open-manifests.ts';
import { ownPath } from './own-path.ts';
import { parseServeFlags } from './parse-flags.ts';
import { openServerId } from './server-id.ts';
import { startMemoryReducer } from './memory-reducer.ts';
import { ownVersion } from './own-version.ts';

/** A segmentation fault of Node.js 24, found by `test/hostile`. */
const NO_HEAP_SNAPSHOT = 'with --http2=node, Node.js may crash while it visits HTTP/2 sessions';
const EXIT_INTERRUPTED = 130;
const SAME_SIGNAL_MS = 500;
const PRIVATE_FILES = 0o077;
const LOOPBACK_TOKEN_BYTES = 32;
/** For benchmarks: `plain` disables the arena of the watch cache (docs/decisions/0013). */
const ENTRY_MEMORY = 'COXSWAIN_ENTRY_MEMORY';

/** Resolves with the exit code after a signal stopped the server. Throws with one sentence when it cannot start. */
export async function serve(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const options = await parseServeFlags(args, environment);
  if (options.securePort === 0 && options.insecurePort === 0) {
    throw new UsageError('no port to listen on: --secure-port and --insecure-port are both 0');
  }
  const log = createLog({ format: options.logFormat, verbosity: options.verbosity });
  logUncaughtErrors(log);
  process.umask(PRIVATE_FILES); // files are readable only by the server's user
  if (options.manifestDir !== undefined) await assertManifestFolder(options.manifestDir);
  const signalled = nextSignal();
  const closers: (() => Promise<void>)[] = [];
  try {
    const opening = open(options, log, closers, environment);
    const opened = await Promise.race([opening, signalled]);
    if (typeof opened === 'string') {
      // Does not wait for pending steps, such as an unresponsive etcd.
      opening.catch((error: unknown) => log.debug('start aborted', { error }));
      log.info('stopping during start', { signal: opened });
      return 0;
    }
    await Promise.race([opened.served, signalled]);
    startMemoryReducer();
    process.stdout.write(banner(opened.shown));
    const signal = await signalled;
    log.info('stopping', { signal });
    await serveUntilNoticed(opened.openRequests, options, systemClock);
    return 0;
  } finally {
    for (const close of closers.reverse()) {
      // A failure must not prevent the others from closing.
      await close().catch((error: unknown) => log.error('close failed', { error }));
    }
  }
}

/** What load balancers need of a stop: time to notice it, then refusals that clients retry elsewhere. */
async function serveUntilNoticed(
  openRequests: OpenRequests,
  { shutdownDelayDuration, shutdownSendRetryAfter }: ServeOptions,
  clock: Clock,
): Promise<void> {
  openRequests.announceStop();
  if (shutdownDelayDuration > 0) await clock.sleep(shutdownDelayDuration);
  if (!shutdownSendRetryAfter) return;
  const waiting = new AbortController();
  await Promise.race([openRequests.refuseNew(), clock.sleep(STOP_GRACE_MS, waiting.signal)]);
  waiting.abort();
}

interface Opened {
  readonly openRequests: OpenRequests;
  readonly shown: BannerOptions;
  /** Resolves when reads and writes are served. */
  readonly served: Promise<unknown>;
}

/** Adds a function to `closers` for each opened resource. */
async function open(options: ServeOptions, log: Log, closers: (() => Promise<void>)[], environment: NodeJS.ProcessEnv): Promise<Opened> {
  const clock = systemClock;
  const version = ownVersion();
  const metrics = createMetrics({ version: toGitVersion(version), now: () => clock.now(), processMetrics: true });
  const stopMeasuring = measureEventLoop({ ticks: metrics.eventLoopTickCpuSeconds.with(), threadCpuMicroseconds });
  closers.push(async () => stopMeasuring());
  void readLimits().then((limits) => warnOfFewFiles(limits, log));
  const openingStore = openBackend(options, clock, log, metrics);
  const prepareCertificates = async () => {
    if (options.securePort === 0) return undefined;
    // On first start, certificates are created in parallel, which takes as long as opening the store. Later the store
    // is opened first: until then the certificates may belong to a running server.
    if (existsSync(join(options.dataDir, PKI_FOLDER))) await openingStore;
    return openCertificates(options, clock, log);
  };
  const serverId = Promise.withResolvers<string>();
  const readingFiles = openAuthenticationFiles({ options, log, metrics, clock, serverId: serverId.promise }).then((files) => {
    closers.push(async () => files.close());
    return files;
  });
  const preparing = Promise.all([
    prepareCertificates(),
    readingFiles,
    // On first start a key is made, which takes as long as the certificates.
    Promise.all([readingFiles, openingStore]).then(([files, { backend }]) => openSigningKey(files, { backend, random: randomBytes })),
  ]);
  preparing.catch(() => undefined); // errors of the store are reported first
  const { backend, name: storeName, place, compactEveryMs } = await openingStore;
  closers.push(() => backend.close());
  const { groupSuffix } = options;
  const hostName = hostname();
  const keepsFiles = options.securePort !== 0 || options.etcdServers === undefined;
  const [difference, id] = await Promise.all([
    checkGroupSuffix({ backend, groupSuffix, random: randomBytes }),
    openServerId({ hostName, log, ...(keepsFiles && { dataDir: options.dataDir }) }),
  ]);
  if (difference !== undefined) throw new Error(difference);
  serverId.resolve(id);

  const kinds = createKinds({ groupSuffix });
  const access = await openAccess({ options, serverId: id, clock, log, metrics });
  closers.push(async () => access.close());
  const registry = await openRegistry({
    backend,
    kinds,
    clock,
    random: randomBytes,
    newUid: randomUUID,
    log,
    metrics,
    identity: id,
    groupSuffix,
    features: options.featureGates,
    admission: (stores) =>
      createAdmissionChain([
        ...access.plugins,
        createNamespaceLifecycle({ mode: options.namespaceLifecycle, namespaces: createNamespaces(stores) }),
      ]),
    eventTtlMs: options.eventTtl,
    garbageCollection: options.enableGarbageCollector,
    representationCacheBytes: options.representationCacheBytes,
    ringBytes: options.watchCacheRingBytes,
    ...(environment[ENTRY_MEMORY] === 'plain' ? { createMemory: () => new PlainEntryMemory() } : {}),
    watchBufferBytes: options.watchBufferBytes,
    ...(compactEveryMs === undefined ? {} : { compactEveryMs }),
  });
  closers.push(() => registry.close());
  access.follow(registry);
  const flow = openFlowControl({ options, stores: registry, metrics });
  closers.push(async () => flow.close());
  const filled = registry.watchCache.filled();
  const storageVersions = openStorageVersions({
    backend,
    served: registry.served,
    filled,
    id,
    hostName,
    timeoutMs: options.serverTimeout,
    clock,
    monotonicNow: () => performance.now(),
    random: randomBytes,
    log,
  });
  closers.push(() => storageVersions.close());
  const ready = Promise.all([filled, storageVersions.published]);
  const systemNamespaces = openSystemNamespaces({
    namespaces: createNamespaces(registry),
    contents: registry.served.flatMap(({ compiled: { kind }, cache }) => (kind.definition.namespaced && !isView(kind) ? cache : [])),
    after: ready,
    clock,
    log,
  });
  closers.push(() => systemNamespaces.close());
  // Some of the roles are in kube-system.
  const bootstrapRoles = openBootstrapRoles({ stores: registry, groupSuffix, after: systemNamespaces.created, clock, log });
  closers.push(() => bootstrapRoles.close());
  openControllers({ options, registry, after: bootstrapRoles.created, clock, random: randomBytes, log, metrics });

  const auditor = await openAuditor({ options, clock, log, metrics, closers });
  const [certificates, files, signingKey] = await preparing;
  const externalAddress = `${reachableHost(options.bindAddress)}:${options.securePort}`;
  const loopbackToken = randomBytes(LOOPBACK_TOKEN_BYTES).toString('base64url');
  const { authenticator, checkingAuthenticator, tokens, openIdMetadata } = createAuthentication({
    options,
    files,
    signingKey,
    registry,
    clock,
    log,
    metrics,
    newUid: randomUUID,
    loopbackToken,
    externalAddress,
  });
  const openRequests = new OpenRequests();
  const yamlReader = new YamlReader();
  closers.push(async () => yamlReader.close());
  const { respond } = createApi({
    served: registry.served,
    reviews: createReviews({ groupSuffix }),
    backend,
    storeName,
    notReady: () => registry.notReady,
    writeGates: [
      { name: 'storage-versions', notReady: () => storageVersions.notReady, passes: isStorageVersion },
      // The gate before keeps everything back until storage versions are published.
      { name: 'system-namespaces', notReady: () => systemNamespaces.notReady, passes: isStorageVersion },
      // Until then nobody but administrators may do anything.
      { name: 'poststarthook/rbac/bootstrap-roles', notReady: () => bootstrapRoles.notReady, passes: () => true },
    ],
    openRequests,
    authenticator,
    tokens,
    openIdMetadata,
    authorizer: access.authorizer,
    flowControl: flow.flowControl,
    auditor,
    allowedOrigins: new AllowedOrigins(options.corsAllowedOrigins),
    version: { gitVersion: toGitVersion(version), runtime: `node${process.versions.node}`, platform: toPlatform(process) },
    openApi: { folder: ownPath('schemas/openapi'), groupSuffix },
    yamlReader,
    log,
    metrics,
    clock,
    newUid: randomUUID,
    random: Math.random,
    goawayChance: options.goawayChance,
    strictTransportSecurity: options.strictTransportSecurityDirectives,
    profiling: options.profiling,
    noHeapSnapshot: options.http2 === 'node' && !options.disableHttp2Serving ? NO_HEAP_SNAPSHOT : undefined,
    requestTimeoutMs: options.requestTimeout,
    minWatchMs: options.minRequestTimeout,
    maxWatchesPerUser: options.maxWatchesPerUser,
    features: options.featureGates,
  });
  if (options.manifestDir !== undefined) {
    const manifests = openManifests({
      folder: options.manifestDir,
      respond,
      token: loopbackToken,
      definitions: registry.served.map(({ compiled: { kind } }) => kind.definition),
      yaml: yamlReader,
      after: Promise.all([systemNamespaces.created, bootstrapRoles.created]),
      clock,
      log,
      metrics,
    });
    closers.push(() => manifests.close());
  }
  const stopChecking = new AbortController();
  const checking = checkCredentials({
    openRequests,
    authenticator: checkingAuthenticator,
    clock,
    log,
    onEnd: () => metrics.credentialsLostTotal.with().inc(),
    signal: stopChecking.signal,
  });
  closers.push(() => {
    stopChecking.abort();
    return checking;
  });
  const listeners = await openListeners({ options, certificates, respond, openRequests, clock, log, metrics, closers });
  return { openRequests, shown: { place, ...listeners }, served: systemNamespaces.created };
}

function threadCpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** A bug in one request must not end the others. */
function logUncaughtErrors(log: Log): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  process.on('uncaughtException', (error) => log.error('uncaught exception', { error }));
}

/** The first SIGTERM or SIGINT. The second ends the process at once. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      // A terminal and npm both forward Ctrl-C: signals at the same time count as one.
      if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT_INTERRUPTED);
      firstAt ??= performance.now();
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
