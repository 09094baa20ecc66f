/** What is configured of an OIDC issuer. */
export interface JwtIssuer {
  readonly url: string;
  readonly discoveryUrl?: string | undefined;
  /** PEM. */
  readonly certificateAuthority?: string | undefined;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  /** Of signatures. */
  readonly algorithms: readonly string[];
  /** The claims that a token must have, with their values. */
  readonly requiredClaims: readonly { readonly claim: string; readonly value: string }[];
  readonly username: PrefixedClaim;
  readonly groups?: PrefixedClaim | undefined;
  readonly uid?: string | undefined;
}

export interface PrefixedClaim {
  readonly claim: string;
  readonly prefix: string;
}

/** Those with a public key. */
export const SIGNING_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];
