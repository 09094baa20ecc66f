/**
 * `make test-clients`: the programs of every language here, each against a server on either store. A language whose
 * tools are missing is skipped and named; the exit code is 1 when anything failed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS } from '../support/test-store.ts';
import { parseClientFile, type ClientFile } from './client-file.ts';
import { chooseFolders, clientFolders, type ClientFolder } from './client-folders.ts';
import { openClientTarget, type ClientTarget } from './client-target.ts';
import { prepare } from './prepare.ts';
import { lineOf, resultsFor, summaryOf, type ProgramResult } from './report.ts';
import { runProgram, type ProgramEnd } from './run-program.ts';

interface Client {
  readonly folder: ClientFolder;
  readonly file: ClientFile;
}

const readClient = (folder: ClientFolder): Client => ({
  folder,
  file: parseClientFile(readFileSync(join(folder.path, 'client.json'), 'utf8'), `${folder.name}/client.json`),
});

const say = (line: string) => console.log(line);
const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function runClient({ folder, file }: Client, targets: readonly ClientTarget[]): Promise<readonly ProgramResult[]> {
  say(`${file.language}: ${file.client}`);
  const preparation = await prepare(file, folder.path, (line) => say(`         ${line}`));
  if (preparation.state !== 'ready') {
    const { why } = preparation;
    const results = resultsFor(
      file,
      BACKENDS,
      preparation.state === 'missing' ? { is: 'skipped', why } : { is: 'failed', why, output: preparation.output },
    );
    for (const result of results) say(lineOf(result));
    return results;
  }
  const results: ProgramResult[] = [];
  for (const program of file.programs) {
    for (const target of targets) {
      const outcome = await outcomeOf(runProgram(folder, program, target));
      const result: ProgramResult = { language: file.language, program: program.name, backend: target.backend, outcome };
      say(lineOf(result));
      results.push(result);
    }
  }
  return results;
}

async function outcomeOf(run: Promise<ProgramEnd>): Promise<ProgramResult['outcome']> {
  try {
    const { problem, stderr, ms } = await run;
    return problem === undefined ? { is: 'passed', ms } : { is: 'failed', why: problem, output: stderr };
  } catch (error) {
    return { is: 'failed', why: explain(error), output: '' };
  }
}

async function run(wanted: string): Promise<void> {
  const clients = chooseFolders(clientFolders(), wanted).map(readClient);
  const targets: ClientTarget[] = [];
  const results: ProgramResult[] = [];
  try {
    for (const backend of BACKENDS) targets.push(await openClientTarget(backend));
    for (const client of clients) results.push(...(await runClient(client, targets)));
  } finally {
    for (const target of targets) await target.close();
  }
  say(summaryOf(results));
  if (results.some(({ outcome }) => outcome.is === 'failed')) process.exitCode = 1;
}

// Ends what was started too: each of them is ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  await run(process.argv.slice(2).join(','));
} catch (error) {
  console.error(`test-clients: ${explain(error)}`);
  process.exitCode = 1;
}
