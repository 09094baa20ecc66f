/** Asks every path with credentials of every kind, over both protocols. */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { text as readText } from 'node:stream/consumers';
import { createCredentials, type Credential, type CredentialOptions, NO_CREDENTIALS, twice } from '../../support/credentials.ts';
import { createTokenClient, type TokenClient } from '../../support/token-client.ts';
import type { ClientOptions } from '../client.ts';
import { TOKEN } from '../servers.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createSender, toAccessAnswer, type AccessAnswer } from './send.ts';

export interface AskedWithCredentials {
  readonly asked: { readonly title: string; readonly method: string; readonly path: string };
  readonly answer: AccessAnswer;
}

type Address = Pick<ClientOptions, 'url' | 'ca'>;

/** A token of a user without roles, which the token file of the comparison has. */
const PLAIN_TOKEN = 'token-of-henry';
const NAMESPACE = 'lab';
const ACCOUNTS = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;

export async function answersToCredentials(
  address: Address,
  keys: Pick<CredentialOptions, 'clientAuthority' | 'signingKey' | 'issuer'>,
): Promise<readonly AskedWithCredentials[]> {
  const admin = createTokenClient(address, TOKEN);
  const account = await createAccount(admin, 'valid');
  const deletedAccount = await createAccount(admin, 'deleted');
  await admin('DELETE', `${ACCOUNTS}/deleted`);
  const { valid, invalid } = await createCredentials({
    ...keys,
    account,
    deletedAccount,
    token: PLAIN_TOKEN,
    revokedToken: 'a-token-that-was-revoked',
    now: Date.now(),
  });
  const answers: AskedWithCredentials[] = [];
  for (const credential of [...NO_CREDENTIALS, ...valid, ...invalid, ...twice(PLAIN_TOKEN)]) {
    const record = (protocol: string, path: string, answer: AccessAnswer) =>
      answers.push({ asked: { title: `${credential.name}, ${protocol}: GET ${path}`, method: 'GET', path }, answer });
    const sendHttp1 = createSender({ ...address, ...credential.certificate });
    for (const path of ENDPOINTS) {
      record('HTTP/1.1', path, await sendHttp1({ method: 'GET', path, headers: authorizationOf(credential) }));
    }
    for (const path of ENDPOINTS) record('HTTP/2', path, await askHttp2(address, path, credential));
  }
  return answers;
}

const authorizationOf = ({ authorization }: Credential) => (authorization === undefined ? {} : { authorization });

async function createAccount(send: TokenClient, name: string) {
  const { metadata } = JSON.parse(await send('POST', ACCOUNTS, { metadata: { name } })) as { readonly metadata: { readonly uid: string } };
  return { namespace: NAMESPACE, name, uid: metadata.uid };
}

/** On a connection of its own: kube-apiserver closes those of anonymous requests. */
async function askHttp2({ url, ca }: Address, path: string, credential: Credential): Promise<AccessAnswer> {
  const session = connect(url, { ca, ...credential.certificate });
  const [authorization] = credential.authorization ?? [];
  const stream = session.request({ ':path': path, ...(authorization === undefined ? {} : { authorization }) });
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
  const code = Number(head[':status']);
  const answer = code < 400 ? { code } : toAccessAnswer(code, await readText(stream));
  session.destroy();
  return answer;
}
