/** The settings of TLS that the flags of `serve` ask for. */
import type { Log } from '../../pkg/observability/logging.ts';
import { toCiphers } from '../../pkg/server/lifecycle/cipher-suites.ts';
import { DEFAULT_TLS_SETTINGS, type TlsSettings } from '../../pkg/server/lifecycle/tls-contexts.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';

type TlsOptions = Pick<ServeOptions, 'tlsMinVersion' | 'tlsCipherSuites'>;

/** RFC 9113 §9.2: whoever speaks HTTP/2 over TLS 1.2 has one of them. */
const HTTP2_SUITES: readonly string[] = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** Warns of what is insecure. Throws UsageError when HTTP/2 cannot be served. */
export function toTlsSettings({ tlsMinVersion, tlsCipherSuites: suites }: TlsOptions, servesHttp2: boolean, log: Log): TlsSettings {
  const minVersion = tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2';
  if (tlsMinVersion === 'VersionTLS10' || tlsMinVersion === 'VersionTLS11') {
    log.warn('this version of TLS is not served, since it is broken', { version: tlsMinVersion, served: 'VersionTLS12' });
  }
  if (suites === undefined) return { ...DEFAULT_TLS_SETTINGS, minVersion };
  for (const { name, isInsecure } of suites) if (isInsecure) log.warn(`use of insecure cipher '${name}' detected`);
  if (servesHttp2 && minVersion === 'TLSv1.2' && !suites.some(({ name }) => HTTP2_SUITES.includes(name))) {
    throw new UsageError(
      `--tls-cipher-suites: missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${HTTP2_SUITES.join(' or ')}); --disable-http2-serving does without`,
    );
  }
  return { minVersion, ciphers: toCiphers(suites) };
}
