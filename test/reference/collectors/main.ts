/**
 * `make compare-collectors`: the same random graphs of owners, and deletions of namespaces, on kube-apiserver with the
 * controllers of kube-controller-manager, and on the built program with its own. Compares what is left of each. The
 * code is 1 when something differs from all that Kubernetes may do.
 */
import { openOwn, openReference, type StartedServer } from '../servers.ts';
import { type CollectorsOptions, parseCollectorsOptions } from '../options.ts';
import { createJsonClient } from './json-client.ts';
import { judge, type Outcomes, type Verdict } from './judge.ts';
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
/** A script that differs at first is played so often again. */
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

/** Plays again what differed at first: the order of events may have been another one. */
async function replay(differing: readonly Outcomes[], prefix: string, servers: Servers): Promise<readonly Outcomes[]> {
  const again = new Map(differing.map((outcomes) => [outcomes.script, { expected: [...outcomes.expected], actual: [...outcomes.actual] }]));
  for (const [index, batch] of batchesOf([...again.keys()]).entries()) {
    for (let time = 0; time < REPLAYS; time++) {
      const played = await playOnBoth(batch, `${prefix}-r${index}-${time}`, servers);
      for (const [at, script] of batch.entries()) {
        const [expected, actual] = played[at] ?? [NOTHING, NOTHING];
        again.get(script)?.expected.push(expected);
        again.get(script)?.actual.push(actual);
      }
    }
  }
  return [...again].map(([script, outcomes]) => ({ script, ...outcomes }));
}

async function compare(count: number, seed: string, servers: Servers): Promise<number> {
  const scripts = [
    ...draw(Math.ceil(count / 2), seed, 'right'),
    ...draw(Math.floor(count / 2), seed, 'wrong'),
    ...draw(Math.min(UNSERVED, count), seed, 'unserved'),
    ...draw(Math.ceil(count / 4), seed, 'namespace'),
  ];
  const differing: Outcomes[] = [];
  let played = 0;
  for (const [index, batch] of batchesOf(scripts).entries()) {
    const both = await playOnBoth(batch, `s${seed}-b${index}`, servers);
    for (const [at, script] of batch.entries()) {
      const [expected, actual] = both[at] ?? [NOTHING, NOTHING];
      if (JSON.stringify(expected) !== JSON.stringify(actual)) differing.push({ script, expected: [expected], actual: [actual] });
    }
    played += batch.length;
    say(`${played} graphs, ${differing.length} that differ at first`);
  }
  const judged = (await replay(differing, `s${seed}`, servers)).map((outcomes) => ({ outcomes, verdict: judge(outcomes) }));
  const ofVerdict = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).map(({ outcomes }) => outcomes);
  const [possible, different] = [ofVerdict('possible'), ofVerdict('different')];
  say(
    `${scripts.length - differing.length} graphs ended the same at once, ${ofVerdict('seen').length} in a way that Kubernetes showed later`,
  );
  say(`${possible.length} ended in another way that the rules leave, ${different.length} differ`);
  for (const outcomes of possible) show('possible', outcomes);
  for (const outcomes of different) show('different', outcomes);
  return different.length;
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

function show(verdict: Verdict, { script, expected, actual }: Outcomes): void {
  const texts = (outcomes: readonly Played[]) => new Set(outcomes.map((outcome) => JSON.stringify(outcome)));
  const lines = [
    `\n${verdict}: seed ${script.seed}`,
    ...[...script.objects, ...script.steps].map((step) => `  ${JSON.stringify(step)}`),
    ...[...texts(expected)].map((outcome) => `  Kubernetes: ${outcome}`),
    ...[...texts(actual)].map((outcome) => `  here:       ${outcome}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main({ count, seed, backend, program, controllers }: CollectorsOptions): Promise<number> {
  const opened: StartedServer[] = [];
  try {
    const reference = await openReference({
      program,
      controllers: { program: controllers, names: CONTROLLERS },
      flags: NAMESPACES.reference,
    });
    opened.push(reference);
    const own = await openOwn(backend, NAMESPACES.own);
    opened.push(own);
    const servers = { reference: createJsonClient(reference.address), own: createJsonClient(own.address) };
    const differences = await compare(count, seed, servers);
    servers.reference.close();
    servers.own.close();
    return differences;
  } finally {
    for (const server of opened) await server.close();
  }
}

try {
  const options = parseCollectorsOptions(process.env, () => String(Date.now() % 1_000_000));
  say(`SEED=${options.seed} COUNT=${options.count} STORE=${options.backend}`);
  process.exitCode = (await main(options)) === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`compare-collectors: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
