/** What it costs to learn who sends a request and whether that is allowed, without the rest of the server. */
import { randomUUID } from 'node:crypto';
import type { Credentials } from '../../pkg/authentication/authenticator.ts';
import { createAuthenticator } from '../../pkg/authentication/create-authenticator.ts';
import { createServiceAccountAuthenticator } from '../../pkg/authentication/service-accounts/authenticator.ts';
import { generateSigningKey, parseServiceAccountKeys } from '../../pkg/authentication/service-accounts/keys.ts';
import { signToken } from '../../pkg/authentication/service-accounts/sign-token.ts';
import { createTokenFileAuthenticator, parseTokenFile } from '../../pkg/authentication/token-file.ts';
import type { ResourceAccess } from '../../pkg/authorization/authorizer.ts';
import { createRbacAuthorizer } from '../../pkg/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '../../pkg/authorization/rbac/rbac-policy.ts';
import { median } from './report.ts';
import { bindings, clusterRoles, READER, READER_GROUP } from './roles.ts';
import { namespaceOf } from './sample-object.ts';

export interface AccessRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'µs';
  readonly goal?: number;
}

const ROUNDS = 9;
const REQUESTS = 20_000;
const GOAL_US = 30;
const TOKEN = 'a-token-of-the-reader';
const ISSUER = 'https://issuer.example';

/** Processor time of each request, in microseconds; the first rounds are for V8. */
async function cpuOf(work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let index = 0; index < REQUESTS; index++) {
      const done = work();
      if (done instanceof Promise) await done;
    }
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / REQUESTS);
  }
  return median(rounds.slice(2));
}

/** Ways to show who one is. */
async function credentials() {
  const keys = parseServiceAccountKeys(await generateSigningKey());
  const account = { name: READER, uid: 'account-uid' };
  const accountToken = await signToken(
    { issuer: ISSUER, key: keys.signing, newUid: randomUUID },
    {
      namespace: namespaceOf(0),
      serviceAccount: account,
      boundTo: undefined,
      audiences: [ISSUER],
      nowMs: Date.now(),
      expirationSeconds: 3600,
    },
  );
  const file = parseTokenFile(`${TOKEN},${READER},reader-uid,${READER_GROUP}\n`, 'tokens.csv');
  const authenticator = createAuthenticator({
    tokens: [
      createTokenFileAuthenticator(() => file, [ISSUER]),
      createServiceAccountAuthenticator({
        issuers: [ISSUER],
        keys: keys.verification,
        audiences: [ISSUER],
        clock: { now: Date.now },
        objects: { find: () => account },
      }),
    ],
    audiences: [ISSUER],
    anonymous: () => ({ enabled: true }),
  });
  const from = (headers: Credentials['headers'], more: Partial<Credentials> = {}): Credentials => ({
    headers: { 'user-agent': 'bench', accept: 'application/json', ...headers },
    secure: true,
    remoteAddress: '127.0.0.1',
    ...more,
  });
  const clientCertificate = { commonName: READER, organizations: [READER_GROUP], fingerprint256: 'a1b2', validUntil: Infinity };
  return {
    authenticator,
    ways: {
      'a token of the token file': from({ authorization: `Bearer ${TOKEN}` }),
      'a token of a ServiceAccount': from({ authorization: `Bearer ${accountToken}` }),
      'a client certificate': from({}, { clientCertificate }),
    },
  };
}

function busyPolicy(): RbacPolicy {
  const policy = new RbacPolicy('k8s.io');
  for (const role of clusterRoles) policy.setRole(role);
  for (const binding of bindings) policy.setBinding(binding);
  return policy;
}

export async function benchAccess(): Promise<readonly AccessRow[]> {
  const { authenticator, ways } = await credentials();
  const authorizer = createRbacAuthorizer({ policy: busyPolicy(), assertComplete: () => undefined });
  const access = (resource: string): Omit<ResourceAccess, 'user'> => ({
    isResource: true,
    verb: 'get',
    group: 'batch',
    version: 'v1',
    resource,
    subresource: '',
    namespace: namespaceOf(0),
    name: 'job-0000001',
  });
  const decide = async (way: Credentials, resource: string, expected: string): Promise<AccessRow['value']> => {
    const request = access(resource);
    const once = () => {
      const user = authenticator.authenticate(way);
      if (user === undefined || user instanceof Promise) return user;
      return authorizer.authorize({ ...request, user });
    };
    // The first use of a token verifies its signature.
    await once();
    const answer = once();
    if (answer === undefined || !('decision' in answer) || answer.decision !== expected)
      throw new Error(`the decision about ${resource} is ${JSON.stringify(answer)}`);
    return cpuOf(once);
  };
  const rows: AccessRow[] = [];
  for (const [name, way] of Object.entries(ways)) {
    const add = (what: string, value: number, goal?: number) =>
      rows.push({ name: `${name}, ${what}`, value, unit: 'µs', ...(goal === undefined ? {} : { goal }) });
    add('authentication alone', await cpuOf(() => authenticator.authenticate(way)));
    // A ServiceAccount is in none of the groups that the bindings name.
    if (!name.includes('ServiceAccount')) add('and RBAC that allows', await decide(way, 'cronjobs', 'allow'), GOAL_US);
    add('and RBAC that refuses', await decide(way, 'jobs', 'noOpinion'), GOAL_US);
  }
  return rows;
}

if (import.meta.main) console.table(await benchAccess());
