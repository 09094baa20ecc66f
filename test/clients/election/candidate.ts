/** A program that runs for the lock: it prints `running` when it begins to, and `leading` when it leads. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../../support/wait.ts';

/** A first start may compile. */
const START_MS = 30_000;
const END_MS = 10_000;

export interface Candidate {
  readonly name: string;
  readonly leads: () => boolean;
  /** Throws when it has ended. */
  readonly check: () => void;
  /** SIGTERM, as a pod's container gets it; resolves when it has ended. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, and it is gone when this resolves. */
  readonly kill: () => Promise<void>;
}

/** Resolves once it runs for the lock. */
export async function startCandidate(
  [program = '', ...args]: readonly string[],
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Candidate> {
  const child = spawn(program, [...args, name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  closed.catch(() => undefined); // it could not be started, which `told` says
  const printed = (line: string) => stdout.split(/\r?\n/).includes(line);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const check = () => {
    if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode ?? 'nothing'}: ${stderr}`);
  };
  await waitFor(
    () => {
      check();
      return printed('running');
    },
    { what: () => `${name} to run: ${stderr}`, timeoutMs: START_MS },
  );
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await waitFor(() => hasEnded(child), { what: () => `${name} to end: ${stderr}`, timeoutMs: END_MS });
  };
  return { name, leads: () => printed('leading'), check, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
