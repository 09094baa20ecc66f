/**
 * Who a request comes from. One interface; its implementations stand beside this file, and a union asks them in turn.
 */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What the client showed in the TLS handshake. */
export interface ClientCertificate {
  /** Why it does not count: not signed by the CA, expired. Absent: it was verified. */
  readonly failure?: string;
  /** Subject CN; empty: none. */
  readonly commonName: string;
  /** Subject O, in order. */
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate in hexadecimal, in lower case. */
  readonly fingerprint256: string;
}

/** What an authenticator may look at. */
export interface Credentials {
  /** Absent: none was shown, or the connection is plain. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** The connection is to go on in this protocol. */
  readonly upgrade?: 'websocket' | undefined;
}

export interface Authenticator {
  /** Undefined: no credentials of this authenticator's kind. Throws StatusError Unauthorized when they are wrong. */
  authenticate(credentials: Credentials): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** The group that may do everything. */
export const ADMIN_GROUP = 'system:masters';
