import type { Authenticator, ClientCertificate, UserInfo } from './authenticator.ts';
import { unauthorized } from './unauthorized.ts';

/** Where Kubernetes keeps which credentials of a user were shown. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/**
 * The subject of a certificate that was verified: its CN is the user, its Os are the groups. One that was not verified
 * is wrong credentials. One without a CN names nobody: it counts as none, as in Kubernetes.
 */
export function createClientCertificateAuthenticator(): Authenticator {
  // A connection shows the same certificate with each of its requests.
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
