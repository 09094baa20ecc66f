/** The ports of `serve`: HTTPS, plain HTTP on loopback, or both. */
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { ServingCertificates } from '../../pkg/certificates/serving-certificates.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { openInsecureListener, openSecureListener, reachableHost } from '../../pkg/server/lifecycle/listener.ts';
import type { Responder } from '../../pkg/server/transports/request.ts';
import type { OpenRequests } from '../../pkg/server/filters/drain.ts';
import type { BannerOptions, SecureAddress } from './banner.ts';
import { refreshCertificates, writeAdminKubeconfig } from './certificates.ts';
import type { ServeOptions } from './flags.ts';
import { toTlsSettings } from './tls-settings.ts';

export interface ListenOptions {
  readonly options: ServeOptions;
  /** Absent: no secure port. */
  readonly certificates: ServingCertificates | undefined;
  readonly respond: Responder;
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Receives a function for each opened resource. */
  readonly closers: (() => Promise<void>)[];
}

/** For requests that run when the server stops. */
export const STOP_GRACE_MS = 8000;

/** Throws with one sentence that names the flag of an unavailable port. */
export async function openListeners(listen: ListenOptions): Promise<Omit<BannerOptions, 'place'>> {
  const { options, certificates, respond, openRequests, clock, closers } = listen;
  const stops: ((graceMs: number) => Promise<void>)[] = [];
  // In parallel, so that requests on one port do not delay closing the other.
  closers.push(async () => {
    await Promise.all(stops.map((stop) => stop(STOP_GRACE_MS)));
  });
  // First: once the insecure port is open, the kubeconfig and the secure port exist too.
  const secure = certificates === undefined ? undefined : await openSecure(listen, certificates, stops);
  let insecureUrl: string | undefined;
  if (options.insecurePort !== 0) {
    const { insecurePort: port } = options;
    const insecure = await openInsecureListener({ port, respond, openRequests, clock }).catch(refuse(`--insecure-port ${port}`));
    stops.push((graceMs) => insecure.stop(graceMs));
    insecureUrl = insecure.url;
  }
  return { insecureUrl, secure };
}

async function openSecure(
  { options, respond, openRequests, clock, log, metrics, closers }: ListenOptions,
  certificates: ServingCertificates,
  stops: ((graceMs: number) => Promise<void>)[],
): Promise<SecureAddress> {
  const { securePort: port, bindAddress: host, dataDir } = options;
  const http2 = options.disableHttp2Serving ? 'off' : options.http2;
  const tlsSettings = toTlsSettings(options, http2 !== 'off', log);
  // After the store is open, so that a second process on an embedded store does not overwrite the kubeconfig, and
  // before the port is, so that it exists when the server is ready.
  const kubeconfig = await writeAdminKubeconfig(certificates, `https://${reachableHost(host)}:${port}`, dataDir);
  const listener = await openSecureListener({ host, port, tls: certificates.tls, tlsSettings, http2, respond, openRequests, clock }).catch(
    refuse(`--secure-port ${port} on ${host}`),
  );
  stops.push((graceMs) => listener.stop(graceMs));
  const stopping = new AbortController();
  const refreshing = refreshCertificates({
    certificates,
    listener,
    dataDir,
    clock,
    log,
    onReload: (isSuccess) => metrics.fileReloadsTotal.with('certificates', isSuccess ? 'success' : 'failure').inc(),
    signal: stopping.signal,
  });
  closers.push(() => {
    stopping.abort();
    return refreshing;
  });
  return { url: listener.url, kubeconfig };
}

const refuse =
  (what: string) =>
  (error: unknown): never => {
    throw new Error(`cannot listen on ${what}: ${errorMessage(error)}`, { cause: error });
  };
