/**
 * `make compare-access`: the same users send the same requests to kube-apiserver and the built program under the same
 * roles, with their tokens and through an admin who acts as them. The code of each answer is compared, and the whole
 * Status.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { temporaryDirectory } from '../../support/server.ts';
import { waitFor } from '../../support/wait.ts';
import type { ClientOptions } from '../client.ts';
import { COMPARED_FLAGS, openOwn, openReference, type StartedServer, TOKEN } from '../servers.ts';
import { isKnownDifference } from './known-differences.ts';
import { GROUP, NAMESPACES, POLICY, type PolicyObject, type Sender, SENDERS } from './policy.ts';
import { type AccessCall, CALLS, IMPERSONATED_CALLS, IMPERSONATIONS } from './requests.ts';
import { createSender, type AccessAnswer, type SendAccess } from './send.ts';

interface Case extends AccessCall {
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

function casesOf(): readonly Case[] {
  const named = (call: AccessCall, who: string, headers: object): Case => ({
    ...call,
    title: `${who}: ${call.method} ${call.path}`,
    headers: { ...call.headers, ...headers },
  });
  return [
    ...SENDERS.flatMap((sender) => CALLS.map((call) => named(call, sender.name, withToken(sender)))),
    ...SENDERS.flatMap((sender) => CALLS.map((call) => named(call, `admin as ${sender.name}`, actingAs(sender)))),
    ...CALLS.map((call) => named(call, 'anonymous', {})),
    ...SENDERS.flatMap((sender) =>
      IMPERSONATIONS.flatMap((impersonation) =>
        IMPERSONATED_CALLS.map((call) =>
          named(call, `${sender.name} with ${JSON.stringify(impersonation)}`, { ...withToken(sender), ...impersonation }),
        ),
      ),
    ),
  ];
}

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

/** Answers in the order of the cases. */
async function answersOf(cases: readonly Case[], send: SendAccess): Promise<readonly AccessAnswer[]> {
  const answers: AccessAnswer[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const asked = cases[at];
      if (asked !== undefined) answers[at] = await send(asked);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
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
const opened: StartedServer[] = [];
let differences = 0;
try {
  const tokens = await tokensFile(directory.path);
  const open = async (server: Promise<StartedServer>): Promise<{ readonly address: ClientOptions; readonly send: SendAccess }> => {
    const { address, ...rest } = await server;
    opened.push({ address, ...rest });
    const send = createSender(address);
    await create(send);
    await arrive(send);
    return { address, send };
  };
  const reference = await open(openReference({ program: process.env['KUBE_APISERVER'], flags: { 'token-auth-file': tokens } }));
  const own = await open(openOwn('embedded', COMPARED_FLAGS, tokens));
  const cases = casesOf();
  const expected = await answersOf(cases, reference.send);
  const given = await answersOf(cases, own.send);
  let known = 0;
  for (const [index, asked] of cases.entries()) {
    const [theirs, ours] = [expected[index], given[index]];
    if (theirs === undefined || ours === undefined || isDeepStrictEqual(theirs, ours)) continue;
    if (isKnownDifference(asked, theirs, ours)) {
      known++;
      continue;
    }
    differences++;
    process.stdout.write(`${asked.title}\n  kube-apiserver: ${JSON.stringify(theirs)}\n  coxswain:       ${JSON.stringify(ours)}\n`);
  }
  const refused = expected.filter(({ code }) => code === 403).length;
  process.stdout.write(`${cases.length} requests, ${refused} of them forbidden, ${known} known differences, ${differences} differences\n`);
} finally {
  for (const server of opened) await server.close();
  await directory.remove();
}
process.exitCode = differences === 0 ? 0 : 1;
