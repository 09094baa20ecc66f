/** What RBAC costs requests with a token: two servers, with it and with AlwaysAllow, in turns. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/server.ts';
import { withConnections } from './connection.ts';
import { fanOutRow } from './fan-out-row.ts';
import { generateLoad } from './load-generator.ts';
import { createObjects, prepareObjects, type Objects } from './objects.ts';
import { createReport, median, type Report } from './report.ts';
import { bindings, clusterRoles, READER, READER_GROUP } from './roles.ts';
import { COLLECTION, get, pathOf, withBody } from './sample-object.ts';
import { ownTarget, type OwnTargetName, type Target } from './target.ts';

const TURNS = 5;
const OBJECTS = 2000;
const LOAD_CLIENTS = 16;
const WATCHERS = 100;
const TOKEN = 'a-token-of-the-reader';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Measured {
  readonly name: string;
  readonly objects: Objects;
}

type Rate = (objects: Objects, seconds: number) => Promise<number>;

const RATES: Readonly<Record<string, { readonly unit: string; readonly rate: Rate }>> = {
  'get, 16 clients': {
    unit: '/s',
    rate: (objects, seconds) => requests(objects, { clients: 16, seconds, path: (index) => pathOf((index * 7919) % objects.count) }),
  },
  'list, 1 client': { unit: 'lists/s', rate: (objects, seconds) => requests(objects, { clients: 1, seconds, path: () => COLLECTION }) },
  [`watch fan-out, ${WATCHERS} watchers`]: {
    unit: 'deliveries/s',
    rate: async (objects, seconds) => {
      const report = createReport(() => undefined);
      await fanOutRow(objects, report, seconds, WATCHERS);
      return report.rows[0]?.value ?? 0;
    },
  },
};

async function requests(
  { target }: Objects,
  { path, ...load }: { readonly clients: number; readonly seconds: number; readonly path: (index: number) => string },
): Promise<number> {
  let index = 0;
  const work = async (connection: Parameters<Parameters<typeof withConnections>[2]>[0]) =>
    (await connection.send(get(path(index++)))).code === 200;
  return (await generateLoad({ target, ...load, work })).perSecond;
}

export async function accessRows(backend: OwnTargetName, report: Report, seconds: number): Promise<void> {
  const directory = await temporaryDirectory();
  const targets: Target[] = [];
  try {
    const tokens = join(directory.path, 'tokens.csv');
    await writeFile(tokens, `${TOKEN},${READER},reader-uid,${READER_GROUP}\n`);
    const open = async (name: string, mode: string): Promise<Measured> => {
      const target = await ownTarget(backend, { flags: ['--authorization-mode', mode, '--token-auth-file', tokens] });
      targets.push(target);
      return { name, objects: await prepared(target) };
    };
    const both = [await open('RBAC', 'RBAC'), await open('AlwaysAllow', 'AlwaysAllow')];
    for (const [name, { unit, rate }] of Object.entries(RATES)) {
      const rates = both.map((): number[] => []);
      for (let turn = -1; turn < TURNS; turn++) {
        for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) {
          const { objects } = both[index] as Measured;
          const measured = await rate(objects, seconds / TURNS);
          // The first turn warms both up.
          if (turn >= 0) rates[index]?.push(measured);
        }
      }
      for (const [index, each] of both.entries())
        report.add({ target: backend, name: `${name}, ${each.name}`, value: median(rates[index] ?? []), unit, details: {} });
    }
  } finally {
    for (const target of targets) await target.close();
    await directory.remove();
  }
}

/** With objects, roles and bindings. What is returned is the reader's. */
async function prepared(target: Target): Promise<Objects> {
  const objects = await prepareObjects(target);
  await createObjects(objects, LOAD_CLIENTS, Infinity, OBJECTS);
  await withConnections(target.address(), 1, async (connection) => {
    for (const object of [...clusterRoles, ...bindings]) {
      const { namespace } = object.metadata as { readonly namespace?: string };
      const path = `${RBAC}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${object.kind.toLowerCase()}s`;
      const { code } = await connection.send(withBody('POST', path, JSON.stringify(object)));
      if (code !== 201) throw new Error(`${object.kind} ${object.metadata.name}: ${code}`);
    }
  });
  const { own } = target;
  if (own === undefined) throw new Error(`${target.name} has no secure port that is known`);
  const { port, ca } = own.secure();
  return { ...objects, target: { ...target, address: () => ({ host: '127.0.0.1', port, secure: { ca, token: TOKEN } }) } };
}
