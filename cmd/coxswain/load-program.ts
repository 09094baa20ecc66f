/**
 * Loads a built program: one file of CommonJS with what V8 has compiled of it, the functions that ran when it was built included. Node's own cache
 * (`compiled-code.ts`) keeps a module as it is before it runs, so that each start compiles a thousand functions anew: a fifth of its processor time.
 */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
import { unboundGarbage } from './bound-garbage.ts';
import { decodeKeptCode, encodeKeptCode } from './kept-code.ts';

/** Set by the build: what is compiled is kept when the process ends, beside what was kept before. No other start writes there. */
const COMPILE_AHEAD = 'COXSWAIN_COMPILE_AHEAD';
/** As for Node's own cache. */
const NOTHING_KEPT = 'NODE_DISABLE_COMPILE_CACHE';
/** What is compiled and not used for a while is thrown away, the frame around the program first of all. */
const KEEP_CODE = '--no-flush-bytecode';
const FLUSH_CODE = '--flush-bytecode';

type Program = (exports: unknown, require: NodeJS.Require, module: { exports: unknown }, filename: string, dirname: string) => void;

/** What `<name>.cjs` beside this file exports. Where nothing is kept that this V8 takes, it compiles. */
export function loadProgram(name: string): unknown {
  const filename = join(import.meta.dirname, `${name}.cjs`);
  const kept = join(import.meta.dirname, 'compiled', `${name}-${process.version}-${process.arch}.bin`);
  const source = readFileSync(filename);
  const cachedData = process.env[NOTHING_KEPT] === undefined ? readKept(source, kept) : undefined;
  const script = new Script(source.toString('latin1'), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (process.env[COMPILE_AHEAD] !== undefined) {
    setFlagsFromString(KEEP_CODE);
    process.once('exit', () => keep(source, script, kept));
  }
  const module = { exports: {} };
  (script.runInThisContext() as Program)(module.exports, createRequire(filename), module, filename, import.meta.dirname);
  return module.exports;
}

function readKept(source: Buffer, path: string): Buffer | undefined {
  try {
    return decodeKeptCode(source, readFileSync(path));
  } catch {
    return undefined;
  }
}

/** Throws when it cannot be written, which ends the process with another code than 0. */
function keep(source: Buffer, script: Script, path: string): void {
  // V8 takes code only with the flags of the process that made it, and at its start none of these is set.
  setFlagsFromString(FLUSH_CODE);
  unboundGarbage();
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w');
  writeFileSync(file, encodeKeptCode(source, script.createCachedData()));
  fsyncSync(file);
  closeSync(file);
  // The server keeps its files to itself; this one says what everybody can read beside it.
  chmodSync(partial, 0o644);
  renameSync(partial, path);
}
