/**
 * Users that a proxy names in headers (`X-Remote-User`). Only a proxy may that shows a certificate of a CA of proxies;
 * everybody else's headers mean nothing.
 */
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';
import { headerValues } from './header-values.ts';
import { unauthorized } from './unauthorized.ts';

/** Header names in lower case. */
export interface RequestHeaderOptions {
  /** Common names of the proxies. Empty: all with such a certificate. */
  readonly allowedNames: readonly string[];
  /** The first that is not empty counts. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export const createRequestHeaderAuthenticator = (options: RequestHeaderOptions): Authenticator => ({
  authenticate: (credentials) => {
    const { clientCertificate } = credentials;
    if (clientCertificate?.isProxy !== true) return undefined;
    const { allowedNames } = options;
    const { commonName } = clientCertificate;
    if (allowedNames.length > 0 && !allowedNames.includes(commonName)) {
      throw unauthorized(`x509: subject with cn=${commonName} is not in the allowed list`);
    }
    return namedUser(credentials, options);
  },
});

function namedUser(credentials: Credentials, { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes }: RequestHeaderOptions) {
  const all = (names: readonly string[]) => names.flatMap((name) => headerValues(credentials, name)).filter((value) => value !== '');
  const [name] = all(usernameHeaders);
  if (name === undefined) return undefined;
  const [uid] = all(uidHeaders);
  const extra = extraOf(credentials, extraHeaderPrefixes);
  const user: UserInfo = {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: all(groupHeaders),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
  return user;
}

function extraOf(credentials: Credentials, prefixes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes) {
    for (const header in credentials.headers) {
      if (!header.startsWith(prefix)) continue;
      const key = unescapedKey(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headerValues(credentials, header)]);
    }
  }
  return extra;
}

/** A key that is not encoded properly is taken as it is. */
export function unescapedKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
