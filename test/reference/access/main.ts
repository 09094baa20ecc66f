/**
 * `make compare-access`: kube-apiserver and the built program under the same roles. The same users send the same
 * requests, with their tokens and through an admin who acts as them; then every path is asked with credentials of every
 * kind, over both protocols. The code of each answer is compared, and the whole Status.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startSecureServer, temporaryDirectory } from '../../support/server.ts';
import { waitFor } from '../../support/wait.ts';
import { COMPARED_FLAGS, openReference, TOKEN } from '../servers.ts';
import { answersToCredentials } from './ask-with-credentials.ts';
import { isKnownDifference } from './known-differences.ts';
import { GROUP, NAMESPACES, POLICY, type PolicyObject, type Sender, SENDERS } from './policy.ts';
import { type AccessCall, CALLS, IMPERSONATED_CALLS, IMPERSONATIONS } from './requests.ts';
import { createSender, type AccessAnswer, type SendAccess, type SentAccess } from './send.ts';

interface Case extends SentAccess {
  readonly title: string;
}

const tokenOf = ({ name }: Sender): string => `token-of-${name.replaceAll(':', '-')}`;
const withToken = (sender: Sender) => ({ authorization: `Bearer ${tokenOf(sender)}` });
const AS_ADMIN = { authorization: `Bearer ${TOKEN}` };

/** A header that is sent several times is a list. */
const actingAs = ({ name, groups }: Sender) => ({
  ...AS_ADMIN,
  'impersonate-user': name,
  ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
});

const named = (call: AccessCall, who: string, headers: object): Case => ({
  ...call,
  title: `${who}: ${call.method} ${call.path}`,
  headers: { ...call.headers, ...headers },
});

function casesOf(): readonly Case[] {
  return [
    ...SENDERS.flatMap((sender) => CALLS.map((call) => named(call, sender.name, withToken(sender)))),
    ...SENDERS.flatMap((sender) => CALLS.map((call) => named(call, `admin as ${sender.name}`, actingAs(sender)))),
    ...CALLS.map((call) => named(call, 'anonymous', {})),
  ];
}

/** One after the other: which permission a refusal names depends on what the sender did before. */
const impersonationCases = (): readonly Case[] =>
  SENDERS.flatMap((sender) =>
    IMPERSONATIONS.flatMap((impersonation) =>
      IMPERSONATED_CALLS.map((call) =>
        named(call, `${sender.name} with ${JSON.stringify(impersonation)}`, { ...withToken(sender), ...impersonation }),
      ),
    ),
  );

async function create(send: SendAccess): Promise<void> {
  const post = async (target: string, object: object) => {
    const headers = { ...AS_ADMIN, 'content-type': 'application/json' };
    const { code, body } = await send({ method: 'POST', path: target, headers, body: JSON.stringify(object) });
    if (code !== 201 && code !== 409) throw new Error(`POST ${target}: ${code} ${JSON.stringify(body)}`);
  };
  for (const name of NAMESPACES) {
    await post('/api/v1/namespaces', { metadata: { name } });
    await post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'one' } });
    await post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'robot' } });
  }
  for (const object of POLICY) await post(collectionOf(object), { metadata: { name: object.name }, ...object.members });
}

const collectionOf = ({ resource, namespace }: PolicyObject): string =>
  `/apis/${GROUP}/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${resource}`;

/** Each kind of role and binding has an allowed request: when they are, all have arrived. */
const ARRIVED: readonly Case[] = [
  ['carol', '/api/v1/namespaces/lab/configmaps/one'],
  ['frank', '/metrics'],
  ['dave', '/api/v1/namespaces/lab/configmaps/one'],
].flatMap(([name = '', target = '']) =>
  SENDERS.filter((sender) => sender.name === name).map((sender) => ({
    title: name,
    method: 'GET',
    path: target,
    headers: withToken(sender),
  })),
);

const arrive = (send: SendAccess): Promise<void> =>
  waitFor(async () => (await Promise.all(ARRIVED.map(send))).every(({ code }) => code === 200), { what: 'the policy', timeoutMs: 60_000 });

const CONCURRENT = 8;
const ISSUER = 'https://issuer.of.the.comparison';

/** Answers in the order of the cases. */
async function answersOf(cases: readonly Case[], send: SendAccess, concurrent: number): Promise<readonly AccessAnswer[]> {
  const answers: AccessAnswer[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const asked = cases[at];
      if (asked !== undefined) answers[at] = await send(asked);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  return answers;
}

async function tokensFile(directory: string): Promise<string> {
  const file = path.join(directory, 'tokens.csv');
  const line = ({ name, groups }: Sender, token: string) => `${token},${name},,"${groups.join(',')}"\n`;
  const admin = { name: 'admin', groups: ['system:masters'] };
  await writeFile(file, [line(admin, TOKEN), ...SENDERS.map((sender) => line(sender, tokenOf(sender)))].join(''));
  return file;
}

const directory = await temporaryDirectory();
const closers: (() => Promise<void>)[] = [() => directory.remove()];
let differences = 0;
let known = 0;

function compare(asked: Case, theirs: AccessAnswer | undefined, ours: AccessAnswer | undefined): void {
  if (theirs === undefined || ours === undefined || isDeepStrictEqual(theirs, ours)) return;
  if (isKnownDifference(asked, theirs, ours)) {
    known++;
    return;
  }
  differences++;
  process.stdout.write(`${asked.title}\n  kube-apiserver: ${JSON.stringify(theirs)}\n  coxswain:       ${JSON.stringify(ours)}\n`);
}

try {
  const file = (name: string) => path.join(directory.path, name);
  const tokens = await tokensFile(directory.path);
  const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  await writeFile(file('accounts.key'), signingKey);
  const shared = {
    'token-auth-file': tokens,
    'service-account-signing-key-file': file('accounts.key'),
    'service-account-issuer': ISSUER,
  };
  const ownFlags = Object.entries(shared).map(([name, value]) => `--${name}=${value}`);
  const own = await startSecureServer([...COMPARED_FLAGS, ...ownFlags]);
  closers.unshift(() => own.stop());
  const authorityFile = path.join(own.dataDir, 'pki', 'ca.crt');
  const clientAuthority = { cert: own.ca, key: await readFile(path.join(own.dataDir, 'pki', 'ca.key'), 'utf8') };
  const flags = { ...shared, 'service-account-key-file': file('accounts.key'), 'client-ca-file': authorityFile };
  const reference = await openReference({ program: process.env['KUBE_APISERVER'], flags });
  closers.unshift(() => reference.close());

  const [independent, ordered] = [casesOf(), impersonationCases()];
  const asked = await Promise.all(
    [reference.address, { url: own.url, ca: own.ca }].map(async (address) => {
      const send = createSender(address);
      await create(send);
      await arrive(send);
      const answers = [...(await answersOf(independent, send, CONCURRENT)), ...(await answersOf(ordered, send, 1))];
      const withCredentials = await answersToCredentials(address, { clientAuthority, signingKey, issuer: ISSUER });
      return { answers, withCredentials };
    }),
  );
  const [theirs, ours] = asked;
  for (const [index, each] of [...independent, ...ordered].entries()) compare(each, theirs?.answers[index], ours?.answers[index]);
  for (const [index, each] of (theirs?.withCredentials ?? []).entries()) {
    compare(each.asked, each.answer, ours?.withCredentials[index]?.answer);
  }
  const all = [...(theirs?.answers ?? []), ...(theirs?.withCredentials ?? []).map(({ answer }) => answer)];
  const count = (code: number) => all.filter((answer) => answer.code === code).length;
  process.stdout.write(
    `${all.length} requests, ${count(403)} of them forbidden, ${count(401)} unauthorized, ${known} known differences, ${differences} differences\n`,
  );
} finally {
  for (const close of closers) await close();
}
process.exitCode = differences === 0 ? 0 : 1;
