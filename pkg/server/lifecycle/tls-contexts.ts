/** What the HTTPS port shows and accepts in TLS handshakes: the server's certificates, and the CAs of clients. */
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { DEFAULT_CIPHERS } from './cipher-suites.ts';

/** PEM texts. */
export interface ServerCertificate {
  /** The server's certificate, followed by intermediate ones. */
  readonly cert: string;
  readonly key: string;
}

/** May change while the server runs. */
export interface TlsMaterial extends ServerCertificate {
  /** Certificates for clients that ask for a server name (SNI): in lower case, or with `*` as the first label. */
  readonly byName?: ReadonlyMap<string, ServerCertificate>;
  /** CA bundle for client certificates. */
  readonly clientCa: string;
  /** CA bundle for certificates of proxies that name the user in headers. */
  readonly proxyCa?: string | undefined;
}

export interface TlsSettings {
  readonly minVersion: Extract<SecureVersion, 'TLSv1.2' | 'TLSv1.3'>;
  /** As for `node:tls`. */
  readonly ciphers: string;
}

export const DEFAULT_TLS_SETTINGS: TlsSettings = { minVersion: 'TLSv1.2', ciphers: DEFAULT_CIPHERS };

/** The certificate of clients that ask for no name, or for one that no other certificate has. */
export const toContextOptions = ({ cert, key, clientCa, proxyCa }: TlsMaterial, { minVersion, ciphers }: TlsSettings) => {
  // Without a CA Node would accept clients of any public CA.
  if (!clientCa.includes('-----BEGIN CERTIFICATE-----')) throw new Error('the bundle of client CAs has no certificate');
  const ca = proxyCa === undefined ? clientCa : [clientCa, proxyCa];
  return { cert, key, ca, minVersion, maxVersion: 'TLSv1.3', ciphers, honorCipherOrder: true } as const;
};

type NamedContexts = ReadonlyMap<string, SecureContext>;

/** Throws when a certificate and its key do not match. */
export function createNamedContexts(material: TlsMaterial, settings: TlsSettings): NamedContexts {
  const contexts = new Map<ServerCertificate, SecureContext>();
  const contextOf = (certificate: ServerCertificate) => {
    const context = contexts.get(certificate) ?? createSecureContext(toContextOptions({ ...material, ...certificate }, settings));
    contexts.set(certificate, context);
    return context;
  };
  return new Map([...(material.byName ?? [])].map(([name, certificate]) => [name, contextOf(certificate)]));
}

/** As in Go's server: the name itself, or with `*` for its first label. */
export function findContext(contexts: NamedContexts, serverName: string): SecureContext | undefined {
  const name = serverName.toLowerCase();
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
}
