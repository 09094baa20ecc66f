/**
 * `make compare-collectors`: the same random graphs of owners, and deletions of namespaces, on kube-apiserver with the
 * controllers of kube-controller-manager, and on the built program with its own. Compares what is left of each. The
 * code is 1 when something differs that Kubernetes never does.
 */
import { openOwn, openReference, type StartedServer } from '../servers.ts';
import { BACKENDS, type BackendName } from '../../support/test-store.ts';
import { isAllowed } from './allowed.ts';
import { createJsonClient } from './json-client.ts';
import { playAll, type Played, type PlayOptions } from './play.ts';
import { drawScript, type References, type Script } from './script.ts';

const CONTROLLERS = ['garbage-collector-controller', 'namespace-controller'];
const NAMESPACES = {
  reference: { 'disable-admission-plugins': 'ServiceAccount,DefaultStorageClass' },
  own: ['--namespace-lifecycle=strict'],
};
/** A namespace is looked at again after so many seconds, by kube-controller-manager. */
const QUIET_WITH_NAMESPACES_MS = { reference: 18_000, own: 2000 };
/** Scripts that are played together. kube-controller-manager retries ten times a second, whatever there is to retry. */
const BATCH = 250;
/** Of them there are few, since each is retried for ever. */
const UNSERVED = 25;
const QUIET_MS = { reference: 2500, own: 750 };
/** The order of events may decide what is left. A script that differs is played so often again. */
const REPLAYS = 4;

type Servers = Readonly<Record<'reference' | 'own', PlayOptions['client']>>;

const begun = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}\n`);

async function playOnBoth(
  scripts: readonly Script[],
  prefix: string,
  { reference, own }: Servers,
): Promise<readonly (readonly [Played, Played])[]> {
  const quietMs = scripts.some(({ references }) => references === 'namespace') ? QUIET_WITH_NAMESPACES_MS : QUIET_MS;
  const [expected, actual] = await Promise.all([
    playAll(scripts, { client: reference, prefix, quietMs: quietMs.reference }),
    playAll(scripts, { client: own, prefix, quietMs: quietMs.own }),
  ]);
  return scripts.map((_, index) => [expected[index] ?? NOTHING, actual[index] ?? NOTHING]);
}

const NOTHING: Played = { codes: [], left: [], namespaces: [], events: [] };

/** What both did with a script, again and again. */
interface Outcomes {
  readonly script: Script;
  readonly expected: Map<string, Played>;
  readonly actual: Map<string, Played>;
}

/** Plays what differed again: first to see whether it always does. */
async function replay(differing: readonly Script[], prefix: string, servers: Servers): Promise<readonly Outcomes[]> {
  const outcomes = differing.map((script): Outcomes => ({ script, expected: new Map(), actual: new Map() }));
  for (let time = 0; time < REPLAYS && differing.length > 0; time++) {
    const played = await playOnBoth(differing, `${prefix}-r${time}`, servers);
    for (const [index, [expected, actual]] of played.entries()) {
      outcomes[index]?.expected.set(JSON.stringify(expected), expected);
      outcomes[index]?.actual.set(JSON.stringify(actual), actual);
    }
  }
  return outcomes;
}

/** The ends have nothing in common, and the rules do not leave all of them in some order of events. */
function isDifferent({ script, expected, actual }: Outcomes): boolean {
  if ([...actual.keys()].some((outcome) => expected.has(outcome))) return false;
  if (script.references === 'namespace') return true;
  const ends = (of: ReadonlyMap<string, Played>) => new Set([...of.values()].map(({ left }) => left.join('\n')));
  const [theirs, ours] = [ends(expected), ends(actual)];
  // The same end, and other Events or answers.
  if ([...ours].some((end) => theirs.has(end))) return true;
  return ![...expected.values(), ...actual.values()].every(({ left }) => isAllowed(script, left));
}

async function compare(count: number, seed: string, servers: Servers): Promise<number> {
  const scripts = [
    ...draw(Math.ceil(count / 2), seed, 'right'),
    ...draw(Math.floor(count / 2), seed, 'wrong'),
    ...draw(Math.min(UNSERVED, count), seed, 'unserved'),
    ...draw(Math.ceil(count / 4), seed, 'namespace'),
  ];
  const differing: Script[] = [];
  let played = 0;
  for (const [index, batch] of batchesOf(scripts).entries()) {
    const outcomes = await playOnBoth(batch, `s${seed}-b${index}`, servers);
    played += batch.length;
    differing.push(...batch.filter((_, at) => JSON.stringify(outcomes[at]?.[0]) !== JSON.stringify(outcomes[at]?.[1])));
    say(`${played} graphs, ${differing.length} that differ at first`);
  }
  const found = (await replay(differing, `s${seed}`, servers)).filter(isDifferent);
  say(`${scripts.length} graphs, ${differing.length - found.length} whose end depends on the order of events, ${found.length} that differ`);
  for (const outcomes of found) show(outcomes);
  return found.length;
}

/** Those that delete namespaces are together, since they take the longest to come to rest. */
function batchesOf(scripts: readonly Script[]): readonly (readonly Script[])[] {
  const others = scripts.filter(({ references }) => references !== 'namespace');
  const starts = Array.from({ length: Math.ceil(others.length / BATCH) }, (_, index) => index * BATCH);
  return [
    ...starts.map((start) => others.slice(start, start + BATCH)),
    scripts.filter(({ references }) => references === 'namespace'),
  ].filter((batch) => batch.length > 0);
}

const draw = (count: number, seed: string, references: References): readonly Script[] =>
  Array.from({ length: count }, (_, index) => drawScript(`${seed}.${references}.${index}`, references));

function show({ script, expected, actual }: Outcomes): void {
  const lines = [
    `\nseed ${script.seed}`,
    ...[...script.objects, ...script.steps].map((step) => `  ${JSON.stringify(step)}`),
    ...[...expected.keys()].map((outcome) => `  Kubernetes: ${outcome}`),
    ...[...actual.keys()].map((outcome) => `  here:       ${outcome}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const seed = env['SEED'] ?? String(Date.now() % 1_000_000);
  const count = Number(env['COUNT'] ?? '2000');
  const backend: BackendName = BACKENDS.find((name) => name === env['STORE']) ?? 'etcd';
  const programs = { program: env['KUBE_APISERVER'], controllers: { program: env['KUBE_CONTROLLER_MANAGER'], names: CONTROLLERS } };
  say(`SEED=${seed} COUNT=${count} STORE=${backend}`);
  const opened: StartedServer[] = [];
  try {
    const reference = await openReference({ ...programs, flags: NAMESPACES.reference });
    opened.push(reference);
    const own = await openOwn(backend, NAMESPACES.own);
    opened.push(own);
    const servers = { reference: createJsonClient(reference.address), own: createJsonClient(own.address) };
    const differences = await compare(count, seed, servers);
    servers.reference.close();
    servers.own.close();
    process.exitCode = differences === 0 ? 0 : 1;
  } finally {
    for (const server of opened) await server.close();
  }
}

await main(process.env);
