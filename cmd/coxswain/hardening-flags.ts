/** Flags of `serve` about its ports and its end, with the names of kube-apiserver. */
import { isIP } from 'node:net';
import { CIPHER_SUITES, type CipherSuite, findCipherSuite } from '../../pkg/server/lifecycle/cipher-suites.ts';
import { booleanFlag, durationMs, texts } from './flag-parsers.ts';
import { optional, withDefault } from './flag.ts';

const TLS_VERSIONS = ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'] as const;
export type TlsVersion = (typeof TLS_VERSIONS)[number];

function tlsVersion(value: string): TlsVersion {
  const version = TLS_VERSIONS.find((each) => each === value);
  if (version === undefined) throw new Error(`unknown tls version ${JSON.stringify(value)}`);
  return version;
}

const cipherSuites = (value: string): readonly CipherSuite[] =>
  texts(value).map((name) => {
    const suite = findCipherSuite(name);
    if (suite === undefined) throw new Error(`Cipher suite ${name} not supported or doesn't exist`);
    return suite;
  });

/** A certificate and the names for which it is shown; none: those in it. */
export interface NamedCertKey {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: readonly string[];
}

const NAMED_CERT_KEYS_SEPARATOR = ';';

const namedCertKeys = (value: string): readonly NamedCertKey[] => value.split(NAMED_CERT_KEYS_SEPARATOR).map(namedCertKey);

function namedCertKey(value: string): NamedCertKey {
  const colon = value.indexOf(':');
  const [files, names] = colon < 0 ? [value, undefined] : [value.slice(0, colon), value.slice(colon + 1)];
  if (names?.trim() === '') throw new Error('empty names list is not allowed');
  const [certFile = '', keyFile = '', ...rest] = files.split(',').map((part) => part.trim());
  if (certFile === '' || keyFile === '' || rest.length > 0) throw new Error('expected comma separated certificate and key file paths');
  const parts = (names?.split(',') ?? []).map((part) => part.trim());
  const address = parts.find((part) => isIP(part) !== 0);
  if (address !== undefined) throw new Error(`${address} is an address; the certificate for addresses is that of --tls-cert-file`);
  return { certFile, keyFile, names: parts };
}

const MAX_GOAWAY_CHANCE = 0.02;

function goawayChance(value: string): number {
  const chance = /^[0-9]*\.?[0-9]+$/.test(value) ? Number(value) : NaN;
  if (Number.isNaN(chance)) throw new Error(`${JSON.stringify(value)} is not a number, such as 0.001`);
  if (chance > MAX_GOAWAY_CHANCE) throw new Error(`can not be less than 0 or greater than ${MAX_GOAWAY_CHANCE}`);
  return chance;
}

const HSTS_DIRECTIVE = /^(?:includeSubDomains|preload|max-age=[0-9]+)$/;

/** The value of the header. */
function hstsDirectives(value: string): string {
  const directives = texts(value);
  if (!directives.every((directive) => HSTS_DIRECTIVE.test(directive))) {
    throw new Error(
      'invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
    );
  }
  return directives.join('; ');
}

const named = (isInsecure: boolean) =>
  CIPHER_SUITES.filter((suite) => suite.isInsecure === isInsecure)
    .map(({ name }) => name)
    .join(', ');

export const HARDENING_FLAGS = {
  tlsMinVersion: withDefault({
    name: 'tls-min-version',
    placeholder: TLS_VERSIONS.join('|'),
    help: 'Oldest version of TLS that is served. VersionTLS10 and VersionTLS11 are taken as VersionTLS12, with a warning.',
    default: 'VersionTLS12',
    parse: tlsVersion,
  }),
  tlsCipherSuites: optional({
    name: 'tls-cipher-suites',
    placeholder: 'NAME,NAME',
    help: `Cipher suites of TLS 1.2; those of TLS 1.3 are always served. Secure: ${named(false)}. Insecure, with a warning: ${named(true)}. Default: the secure ones.`,
    repeatable: true,
    parse: cipherSuites,
  }),
  tlsSniCertKey: optional({
    name: 'tls-sni-cert-key',
    placeholder: 'FILE,FILE:NAME,NAME',
    help: 'Certificate and key (PEM) for clients that ask for one of the names, which may begin with "*.". Without names: those in the certificate. Reloaded when they change. May be repeated, or separated by ";". Clients that ask for no name, or another one, get --tls-cert-file.',
    repeatable: true,
    separator: NAMED_CERT_KEYS_SEPARATOR,
    parse: namedCertKeys,
  }),
  strictTransportSecurityDirectives: optional({
    name: 'strict-transport-security-directives',
    placeholder: 'DIRECTIVE,DIRECTIVE',
    help: 'Directives of the header Strict-Transport-Security, such as max-age=31536000,includeSubDomains,preload. Default: no such header.',
    repeatable: true,
    parse: hstsDirectives,
  }),
  goawayChance: withDefault({
    name: 'goaway-chance',
    placeholder: 'NUMBER',
    help: 'Fraction of the requests over HTTP/2, up to 0.02, after which a client is asked to open a new connection, so that clients behind a load balancer spread again. Not for a single server. 0: off.',
    default: '0',
    parse: goawayChance,
  }),
  shutdownDelayDuration: withDefault({
    name: 'shutdown-delay-duration',
    placeholder: 'DURATION',
    help: 'How long requests are served after a signal to stop, while /readyz already fails, so that load balancers notice.',
    default: '0s',
    parse: durationMs,
  }),
  shutdownSendRetryAfter: booleanFlag({
    name: 'shutdown-send-retry-after',
    help: 'Whether a server that stops refuses new requests with 429 and Retry-After until those that run are done, instead of refusing connections at once.',
    default: 'false',
  }),
  profiling: booleanFlag({
    name: 'profiling',
    help: 'Whether there are CPU profiles and heap snapshots at /debug/pprof/, for users with permission. A heap snapshot holds Secrets and keys; with --http2=node there are none.',
    default: 'false',
  }),
} as const;
