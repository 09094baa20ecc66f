import type { Clock } from '../../apimachinery/time/clock.ts';
import type { Log } from '../../observability/logging.ts';
import type { TokenAuthenticator } from '../bearer-token.ts';
import { fetchJson } from './fetch-json.ts';
import type { JwtIssuer } from './issuer.ts';
import { createIssuerKeySet } from './key-set.ts';
import { createOidcAuthenticator } from './oidc-authenticator.ts';

export interface OidcOptions {
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** After each fetch of keys. */
  readonly onFetch: (issuer: string, isSuccess: boolean) => void;
}

const TIMEOUT_MS = 5000;

/** The issuer is first asked when one of its tokens comes. */
export function openOidcIssuer(issuer: JwtIssuer, { log, clock, audiences, onFetch }: OidcOptions): TokenAuthenticator {
  const { url, discoveryUrl, certificateAuthority: ca } = issuer;
  const keys = createIssuerKeySet({
    issuer: url,
    discoveryUrl,
    fetchJson: (from) => fetchJson({ url: from, ca, timeoutMs: TIMEOUT_MS }),
    clock,
    onFetch: (problem) => {
      onFetch(url, problem === undefined);
      if (problem !== undefined) log.warn('keys of an OIDC issuer were not fetched', { issuer: url, reason: problem });
    },
  });
  return createOidcAuthenticator({ issuer, keys, audiences, clock });
}
