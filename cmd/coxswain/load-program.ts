/**
 * Loads a built program: one file of CommonJS with what V8 has compiled of it, the functions that ran in an earlier start included. Node's own cache
 * (`compiled-code.ts`) keeps a module as it is before it runs, so that each start compiles a thousand functions anew: a fifth of its processor time.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/** Set by the build, which adds to what is kept in several starts. */
const COMPILE_AHEAD = 'COXSWAIN_COMPILE_AHEAD';
/** What is compiled and not used for a while is thrown away, the frame around the program first of all. */
const KEEP_CODE = '--no-flush-bytecode';
/** Code is only taken by a process with the flags of the one that kept it. Those that the program sets while it runs, as they are in the beginning. */
const FLAGS_OF_A_START = ['--flush-bytecode', '--heap-growing-percent=0'];

type Program = (exports: unknown, require: NodeJS.Require, module: { exports: unknown }, filename: string, dirname: string) => void;

/** What `<name>.cjs` beside this file exports; another program must have another name, since V8 knows what it compiled by length alone. The first start keeps what was compiled when it ends; where nothing can be written, nothing is kept. */
export function loadProgram(name: string): unknown {
  const filename = join(import.meta.dirname, `${name}.cjs`);
  const tag = cachedDataVersionTag();
  const kept = join(import.meta.dirname, 'compiled', `${name}-${process.version}-${process.arch}-${tag.toString(16)}.bin`);
  const cachedData = readKept(kept);
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (script.cachedDataRejected !== false || process.env[COMPILE_AHEAD] !== undefined) {
    setFlagsFromString(KEEP_CODE);
    process.once('exit', () => keep(script, kept, tag));
  }
  const module = { exports: {} };
  (script.runInThisContext() as Program)(module.exports, createRequire(filename), module, filename, import.meta.dirname);
  return module.exports;
}

function readKept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keep(script: Script, path: string, tag: number): void {
  for (const flag of FLAGS_OF_A_START) setFlagsFromString(flag);
  if (cachedDataVersionTag() !== tag) return;
  const partial = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(partial, script.createCachedData());
    // The server keeps its files to itself; this one says what everybody can read beside it.
    chmodSync(partial, 0o644);
    renameSync(partial, path);
  } catch {
    // The next start compiles again.
  }
}
