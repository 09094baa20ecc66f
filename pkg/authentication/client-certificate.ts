import type { Authenticator, ClientCertificate, UserInfo } from './authenticator.ts';
import { unauthorized } from './unauthorized.ts';

/** The key of `extra` in which Kubernetes records the credential that was used. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/**
 * The subject of a verified certificate: CN is the user, each O a group. A certificate that was not verified is
 * invalid. As in Kubernetes, one without CN counts as no credentials.
 */
export function createClientCertificateAuthenticator(): Authenticator {
  // All requests of a connection have the same certificate object.
  const users = new WeakMap<ClientCertificate, UserInfo>();
  return {
    authenticate: ({ clientCertificate }) => {
      if (clientCertificate === undefined) return undefined;
      const { failure, commonName } = clientCertificate;
      if (failure !== undefined) throw unauthorized(`the client certificate was not verified: ${failure}`);
      if (commonName === '') return undefined;
      let user = users.get(clientCertificate);
      if (user === undefined) users.set(clientCertificate, (user = toUser(clientCertificate)));
      return user;
    },
  };
}

const toUser = ({ commonName, organizations, fingerprint256 }: ClientCertificate): UserInfo => ({
  name: commonName,
  groups: organizations,
  extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint256}`] },
});
