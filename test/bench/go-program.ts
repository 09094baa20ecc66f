/** Programs in Go that the bench builds from public modules: minutes the first time, seconds later. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');
const BUILD_MS = 3_600_000;

/** The main package in `folder`, beside this file. Resolves with the program's path. Wants Go 1.26 or newer. */
export async function buildGoProgram(folder: string, flags: readonly string[] = []): Promise<string> {
  const program = join(CACHE, `bench-${folder}`, 'apiserver');
  const cwd = join(import.meta.dirname, folder);
  const env = { ...process.env, CGO_ENABLED: '0' };
  try {
    await promisify(execFile)('go', ['build', ...flags, '-o', program, '.'], { cwd, env, timeout: BUILD_MS, maxBuffer: 1 << 24 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the ${folder} needs Go and its modules to be built: ${reason}`, { cause: error });
  }
  return program;
}

/** The version of Kubernetes that it is built from: `1.36.4`. */
export const kubernetesVersionOf = (folder: string): string =>
  /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(join(import.meta.dirname, folder, 'go.mod'), 'utf8'))?.[1] ?? '';
