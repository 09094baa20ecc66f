/** Runs one program of a client against one server, and judges it. */
import { temporaryDirectory } from '../support/server.ts';
import type { ClientProgram } from './client-file.ts';
import type { ClientFolder } from './client-folders.ts';
import type { ClientTarget } from './client-target.ts';
import { lastLines, runCommand } from './run-command.ts';
import { differenceOfSteps, reportedSteps } from './steps.ts';

const PROGRAM_MS = 120_000;

export interface ProgramEnd {
  /** Undefined when it did and reported just the steps it is to do, ended with 0, and left its namespace empty. */
  readonly problem: string | undefined;
  readonly steps: readonly string[];
  /** The end of what it wrote to standard error. */
  readonly stderr: string;
  readonly ms: number;
}

export async function runProgram(folder: ClientFolder, program: ClientProgram, target: ClientTarget): Promise<ProgramEnd> {
  const namespace = `client-${folder.name}-${program.name}`;
  // Some clients keep what they have discovered among the temporary files.
  const temporary = await temporaryDirectory();
  const env = { KUBECONFIG: target.kubeconfig, COXSWAIN_NAMESPACE: namespace, TMPDIR: temporary.path };
  const end = await runCommand(program.command, { folder: folder.path, env, limitMs: PROGRAM_MS });
  await temporary.remove();
  const { problem, stdout, stderr, ms } = end;
  const steps = reportedSteps(stdout);
  const problems = [differenceOfSteps(program.steps, steps), problem];
  if (problem === undefined) {
    const left = await target.objectsIn(namespace);
    if (left.length > 0) problems.push(`left ${left.join(', ')} behind`);
  }
  const told = problems.filter((each) => each !== undefined);
  return { problem: told.length === 0 ? undefined : told.join('; '), steps, stderr: lastLines(stderr, 40), ms };
}
