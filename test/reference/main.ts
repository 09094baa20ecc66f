/**
 * `make compare`: sends the same random requests to kube-apiserver and to the built program, for every kind that is
 * served, and says where the answers differ. The code is 1 when a difference has no explanation.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createExplain, readKnownDifferences } from './known-differences.ts';
import { parseCompareOptions, type CompareOptions } from './options.ts';
import type { Outcome } from './outcome.ts';
import { Report, requestText } from './report.ts';
import { runCase, type CaseOptions } from './run-case.ts';
import { COMPARED_FLAGS, openOwn, openReference, type StartedServer } from './servers.ts';
import { createTargets, type Target } from './targets.ts';
import { toText } from './tree.ts';

const CASES_AT_ONCE = 6;
const PROGRESS_MS = 10_000;
const SHOWN_LINES = 400;

function chosenTargets(kinds: readonly string[]): readonly Target[] {
  const targets = createTargets();
  const unknown = kinds.filter((kind) => !targets.some(({ name, definition }) => name === kind || definition.kind === kind));
  if (unknown.length > 0) throw new Error(`no kind ${unknown.join(', ')}; there are ${targets.map(({ name }) => name).join(', ')}`);
  if (kinds.length === 0) return targets;
  return targets.filter(({ name, definition }) => kinds.includes(name) || kinds.includes(definition.kind));
}

async function compare(options: CompareOptions, say: (line: string) => void): Promise<Report> {
  const targets = chosenTargets(options.kinds);
  // A case alone is told in full.
  const trace =
    options.only === undefined
      ? {}
      : { trace: (...[request, ...outcomes]: Trace) => say([requestText(request), ...outcomes.map(outcomeText)].join('\n    ')) };
  const report = new Report(createExplain(readKnownDifferences()), options.seed);
  const opened: StartedServer[] = [];
  try {
    const reference = await openReference({ program: options.program });
    opened.push(reference);
    const own = await openOwn(options.backend, COMPARED_FLAGS);
    opened.push(own);
    const clock = { now: () => Date.now(), since: Date.now() };
    let sent = 0;
    let next = options.only ?? 0;
    const isOver = () => (options.only === undefined ? sent >= options.count : next > options.only);
    const timer = setInterval(() => say(`${sent} requests, ${report.unexplained} differences without an explanation`), PROGRESS_MS);
    const worker = async (): Promise<void> => {
      while (!isOver()) {
        const number = next++;
        // Each number is a case of every kind, so that a kind's cases are the same whatever other kinds are compared.
        for (const target of targets) {
          const asked = await runCase(
            { seed: options.seed, number, target, reference: reference.client, own: own.client, clock, pause, ...trace },
            (finding) => report.add(finding),
          );
          sent += asked;
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: options.only === undefined ? CASES_AT_ONCE : 1 }, worker));
    } finally {
      clearInterval(timer);
    }
    say(`${sent} requests to each server, ${report.unexplained} differences without an explanation, ${report.explained} known ones`);
  } finally {
    for (const server of opened) await server.close();
  }
  return report;
}

type Trace = Parameters<NonNullable<CaseOptions['trace']>>;
const outcomeText = ({ code, body }: Outcome): string => `${code} ${toText(body)}`;

const begun = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}\n`);

try {
  const options = parseCompareOptions(process.env, () => String(Date.now() % 1_000_000));
  say(`SEED=${options.seed} STORE=${options.backend}`);
  const report = await compare(options, say);
  const lines = report.lines();
  if (options.output !== undefined) await writeFile(options.output, `${lines.join('\n')}\n`);
  for (const line of lines.slice(0, SHOWN_LINES)) process.stdout.write(`${line}\n`);
  if (lines.length > SHOWN_LINES) process.stdout.write(`… ${lines.length - SHOWN_LINES} lines more; OUTPUT=file keeps all\n`);
  process.exitCode = report.unexplained === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`compare: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
