/**
 * The whole API over a set of object stores, as one function from request to response. It opens no files or sockets.
 */
import { createFeatures, type Features } from '../apimachinery/features/features.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import { isView } from '../apis/kind-view.ts';
import type { ResourceDefinition } from '../apis/kind.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { Review, TokenService } from '../apis/review.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { OpenIdMetadata } from '../authentication/service-accounts/openid-metadata.ts';
import type { Authorizer, RuleResolver } from '../authorization/authorizer.ts';
import type { Log } from '../observability/logging.ts';
import type { Metrics } from '../observability/metrics.ts';
import { compileReview } from '../registry/compiled-kind.ts';
import type { ServedKind } from '../registry/registry.ts';
import type { Backend } from '../storage/backend.ts';
import { createDiscovery } from './discovery/discovery.ts';
import { createVersion, type VersionInfo } from './discovery/version.ts';
import { createProfilingPaths } from './debug/profiling-paths.ts';
import { createDocsPath } from './docs/docs-path.ts';
import { jsonValueResponse } from './handlers/json-response.ts';
import { createPathRouter, type PathRouter, type ServedPath } from './handlers/path-router.ts';
import type { ServedResource } from './handlers/resource-call.ts';
import { createResourceIndex } from './handlers/resource-index.ts';
import { createResourceRouter } from './handlers/resource-router.ts';
import { createVerbHandlers } from './handlers/verb-handlers.ts';
import { createMetaMessages } from './representations/meta-messages.ts';
import { createResourceRepresentations } from './representations/resource-representations.ts';
import { createHealthPath, ping } from './health/health.ts';
import { createMetricsPath } from './health/metrics-path.ts';
import { createStoreCheck } from './health/store-check.ts';
import { createOpenIdPaths } from './openid/openid-paths.ts';
import { createOpenApiPaths } from './openapi/openapi-paths.ts';
import { createReviewRouter } from './reviews/review-router.ts';
import type { DocumentFolder } from './openapi/read-document.ts';
import { PRETTY_JSON } from './negotiation/output.ts';
import { type Chain, createChain } from './filters/chain.ts';
import type { OpenRequests } from './filters/drain.ts';
import { AllowedOrigins } from './filters/origins.ts';
import { DEFAULT_SIZE_LIMITS } from './filters/size-limits.ts';

export interface ApiOptions {
  readonly served: readonly ServedKind[];
  readonly reviews: readonly Review[];
  /** For the health checks and the metrics of the store. */
  readonly backend: Pick<Backend, 'status'>;
  /** Name of the store's health check, such as `etcd`. */
  readonly storeName: string;
  /** Why requests cannot be served now, in one clause. */
  readonly notReady: () => string | undefined;
  readonly writeGates: readonly WriteGate[];
  readonly openRequests: OpenRequests;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer & RuleResolver;
  readonly auditor?: Auditor | undefined;
  readonly tokens: TokenService;
  /** Absent: others cannot verify tokens of ServiceAccounts. */
  readonly openIdMetadata?: OpenIdMetadata | undefined;
  /** Origins of web pages that may use the API, besides the server's own. Default: none. */
  readonly allowedOrigins?: AllowedOrigins;
  readonly version: VersionInfo;
  readonly openApi: DocumentFolder;
  /** Converts YAML request bodies. */
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Fraction of the requests over HTTP/2 whose connection is retired. Default: 0. */
  readonly goawayChance?: number;
  readonly strictTransportSecurity?: string | undefined;
  /** Whether there are profiles at `/debug/pprof/`. Default: false. */
  readonly profiling?: boolean;
  /** Why there are no heap snapshots, in one clause. Default: there are. */
  readonly noHeapSnapshot?: string | undefined;
  readonly requestTimeoutMs: number;
  readonly minWatchMs: number;
  /** Default: every feature has the default of its gate. */
  readonly features?: Features;
}

/** Holds back writes until a condition is met. Reads are served meanwhile. */
export interface WriteGate {
  /** Name of its check below `/readyz`. */
  readonly name: string;
  /** Why writes cannot be served now, in one clause. */
  readonly notReady: () => string | undefined;
  /** Whether writes of a resource are accepted anyway, because they may be needed to meet the condition. */
  readonly passes: (definition: ResourceDefinition) => boolean;
}

const STORE_CHECK_MS = 2000;

export function createApi(options: ApiOptions): Chain {
  const { metrics, served, yamlReader, features = createFeatures() } = options;
  const meta = createMetaMessages();
  const resources = served.map(({ compiled, store }): ServedResource => {
    const { kind, message, stored } = compiled;
    const { group, resource } = kind.definition;
    return {
      ...compiled,
      store,
      yamlReader,
      representations: createResourceRepresentations({
        kind,
        parse: (json) => stored.codec.parseStored(json),
        message,
        meta,
        now: () => options.clock.now(),
      }),
      slowWatchers: metrics.terminatedWatchersTotal.with(group, resource),
    };
  });
  const writesNotReady = (definition: ResourceDefinition) =>
    options.writeGates.find((gate) => !gate.passes(definition) && gate.notReady() !== undefined)?.notReady();
  const reviews = createReviewRouter({
    ...options,
    reviews: options.reviews.map((review) => ({ kind: review, ...compileReview(review), yamlReader })),
  });
  const index = createResourceIndex(resources, reviews);
  const resourceRouter = createResourceRouter({ index, reviews, handlers: createVerbHandlers({ ...options, features }), writesNotReady });
  const paths: readonly ServedPath[] = [
    ...createDiscovery(index.discoverable),
    createVersion(options.version),
    ...createOpenApiPaths({ resources: index.discoverable, documents: options.openApi, clock: options.clock }),
    ...healthPaths(options),
    createMetricsPath(metrics, () => refreshGauges(options)),
    createDocsPath(options),
    ...(options.profiling === true ? createProfilingPaths(options) : []),
    ...(options.openIdMetadata === undefined ? [] : createOpenIdPaths(options.openIdMetadata)),
  ];
  const pathRouter: PathRouter = createPathRouter([...paths, createRoot(() => pathRouter.paths)]);
  return createChain({
    ...options,
    allowedOrigins: options.allowedOrigins ?? new AllowedOrigins([]),
    resourceRouter,
    pathRouter,
    authenticationGroup: `authentication.${options.openApi.groupSuffix}`,
    sizeLimits: DEFAULT_SIZE_LIMITS,
    monotonicNow: () => performance.now(),
  });
}

/** `/` lists the served paths. */
const createRoot = (paths: () => readonly string[]): ServedPath => ({
  path: '/',
  get: (context) => {
    context.output = PRETTY_JSON;
    return jsonValueResponse(200, { paths: paths().filter((path) => path !== '/') });
  },
});

function healthPaths({ backend, storeName, clock, log, notReady, writeGates, openRequests }: ApiOptions): readonly ServedPath[] {
  const store = createStoreCheck({ name: storeName, backend, clock, timeoutMs: STORE_CHECK_MS });
  const cache = { name: 'watch-cache', run: () => failureOf(notReady()) };
  const writable = writeGates.map((gate) => ({ name: gate.name, run: () => failureOf(gate.notReady()) }));
  const shutdown = { name: 'shutdown', run: () => failureOf(openRequests.stopping ? 'the server is shutting down' : undefined) };
  return [
    createHealthPath({ path: '/livez', checks: [ping], log }),
    createHealthPath({ path: '/healthz', checks: [ping, store], log }),
    createHealthPath({ path: '/readyz', checks: [ping, store, cache, ...writable, shutdown], log }),
  ];
}

const failureOf = (failure: string | undefined) => (failure === undefined ? {} : { failure });

async function refreshGauges({ backend, metrics, served, log }: ApiOptions): Promise<void> {
  for (const { compiled, cache } of served) {
    const { kind } = compiled;
    if (isView(kind)) continue; // a view has no objects of its own
    const { group, version, resource } = kind.definition;
    const { size, revision, stats } = cache;
    metrics.resourceObjects.with(group, resource).set(size);
    metrics.unreadableObjects.with(group, resource).set(stats.unreadable);
    metrics.watchCacheResourceVersion.with(group, resource).set(revision);
    metrics.watchEventsTotal.with(group, version, resource).set(stats.deliveredEvents);
  }
  try {
    metrics.storageSizeBytes.with().set((await backend.status()).bytes);
  } catch (error) {
    log.debug('size of the store not available', { error });
  }
}
