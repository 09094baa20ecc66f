/** Programs in Go that are built from public modules: minutes the first time, seconds later. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/go-programs');
const BUILD_MS = 3_600_000;

export interface GoProgram {
  /** With a `go.mod`. */
  readonly module: string;
  /** The folder of the main package in it; default: the module's own. */
  readonly folder?: string;
  readonly name: string;
  readonly flags?: readonly string[];
}

/** Resolves with the program's path. Wants Go 1.26 or newer. */
export async function buildGoProgram({ module, folder = '.', name, flags = [] }: GoProgram): Promise<string> {
  const program = join(CACHE, name);
  const env = { ...process.env, CGO_ENABLED: '0' };
  const args = ['build', ...flags, '-o', program, `./${folder}`];
  try {
    await promisify(execFile)('go', args, { cwd: module, env, timeout: BUILD_MS, maxBuffer: 1 << 24 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} needs Go and its modules to be built: ${reason}`, { cause: error });
  }
  return program;
}

/** The version of Kubernetes that `module` is built from: `1.36.4`. */
export const kubernetesVersionOf = (module: string): string =>
  /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '';
