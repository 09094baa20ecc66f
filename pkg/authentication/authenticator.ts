/** The identity of a request's sender. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The client certificate of the TLS handshake. */
export interface ClientCertificate {
  /** Why verification failed: another CA, expired. Absent: the certificate was verified. */
  readonly failure?: string;
  /** Subject CN; empty if there is none. */
  readonly commonName: string;
  /** Subject O, in order. */
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate in hexadecimal, in lower case. */
  readonly fingerprint256: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
  /** It was issued by a CA of proxies, whose headers may name the user. */
  readonly isProxy?: boolean;
}

/** The input of an authenticator. */
export interface Credentials {
  /** Absent without a certificate, and on plain connections. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of each header that was sent more than once. */
  readonly repeatedHeaders?: ReadonlyMap<string, readonly string[]> | undefined;
  /** As sent, percent-encoded, without the query. */
  readonly path?: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** The protocol that the connection is to be upgraded to. */
  readonly upgrade?: 'websocket' | undefined;
}

export interface Authenticator {
  /** Undefined without credentials of this type. Throws StatusError Unauthorized for invalid ones. */
  authenticate(credentials: Credentials): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** Its members may do everything. */
export const ADMIN_GROUP = 'system:masters';
