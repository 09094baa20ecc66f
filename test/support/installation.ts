/** The built program in a folder of its own, with nothing but what it needs there. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOURCES_FILE } from '../../cmd/build/sources-file.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The packages that are not part of the built files; what they themselves need stands where they really are. */
const APART = /^(lmdb|swagger-ui-dist|node-(linux|bin)-.*)$/;

export interface Installation {
  readonly launcher: string;
  /** For the environment of a start whose loaded files are wanted. */
  readonly recording: NodeJS.ProcessEnv;
  /** Of which sources and packages the files were made that the starts so far have loaded: `pkg/server/…`, `node_modules/lmdb/…`. */
  readonly loaded: () => Promise<readonly string[]>;
  /** Of which sources and packages the files were made whose names begin so. */
  readonly madeOf: (name: string) => Promise<readonly string[]>;
  /** Of each program that was loaded so far, whether what was compiled of it was `taken` or `rejected`. */
  readonly taken: () => Promise<readonly string[]>;
}

export async function install(folder: string): Promise<Installation> {
  for (const name of ['bin', 'package.json', 'schemas/openapi']) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (APART.test(name)) await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  if (existsSync(join(ROOT, 'dist'))) await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  else await promisify(execFile)(process.execPath, [join(ROOT, 'cmd/build/main.ts'), join(folder, 'dist')]);

  const record = join(folder, 'loaded.txt');
  const hooks = join(folder, 'record.mjs');
  const coverage = join(folder, 'coverage');
  await mkdir(coverage);
  await writeFile(hooks, recorder(record));
  return {
    launcher: join(folder, 'bin/coxswain'),
    recording: { NODE_OPTIONS: `--import ${hooks}`, NODE_V8_COVERAGE: coverage },
    loaded: async () => {
      const urls = (await readFile(record, 'utf8')).trimEnd().split('\n');
      const files = [...new Set(urls)]
        .filter((url) => url.startsWith('file:') && !url.endsWith(basename(hooks)))
        .map((url) => fileURLToPath(url));
      const sources: string[] = [];
      for (const file of files) sources.push(...(file.startsWith(folder) ? await sourcesOf(file) : [withinRoot(file)]));
      for (const [program, ran] of await programs(coverage))
        if (program.startsWith(folder)) sources.push(...(await begunSourcesOf(program, ran)));
      return sources;
    },
    madeOf: async (name) => {
      const files = (await readdir(join(folder, 'dist'))).filter((file) => file.startsWith(name));
      return (await Promise.all(files.map((file) => sourcesOf(join(folder, 'dist', file))))).flat();
    },
    taken: async () =>
      [...(await readFile(record, 'utf8')).matchAll(/^program .*\/([a-z0-9-]+)-[^/-]*\.cjs (taken|rejected)$/gm)].map(
        ([, name, how]) => `${name} ${how}`,
      ),
  };
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** The programs that were loaded, each with the names of its functions that ran. */
async function programs(folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      if (!url.endsWith('.cjs')) continue;
      const ran = found.get(fileURLToPath(url)) ?? new Set();
      found.set(fileURLToPath(url), ran);
      for (const { functionName, ranges } of functions) if ((ranges[0]?.count ?? 0) > 0) ran.add(functionName);
    }
  }
  return found;
}

/** What is only loaded when it is needed is a function by the name of its source. Long lines are broken, strings too. */
async function begunSourcesOf(program: string, ran: ReadonlySet<string>): Promise<readonly string[]> {
  const text = (await readFile(program, 'utf8')).replaceAll('\\\n', '').replaceAll('\n', '');
  const waiting = new Set([...text.matchAll(/"((?:cmd|pkg|node_modules)\/[^"]+)"\([^()]*\)\{/g)].map(([, name = '']) => name));
  return (await sourcesOf(program)).filter((source) => !waiting.has(source) || ran.has(source));
}

const recorder = (record: string) => `
  import { appendFileSync } from 'node:fs';
  import { registerHooks, syncBuiltinESMExports } from 'node:module';
  import vm from 'node:vm';
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      appendFileSync(${JSON.stringify(record)}, 'program ' + options.filename + (this.cachedDataRejected === false ? ' taken' : ' rejected') + '\\n');
    }
  };
  syncBuiltinESMExports();
  registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(record)}, url + '\\n'), next(url, context)) });
`;

const sourcesOf = async (file: string): Promise<readonly string[]> => {
  const sources = JSON.parse(await readFile(join(dirname(file), SOURCES_FILE), 'utf8')) as Readonly<Record<string, readonly string[]>>;
  return sources[basename(file)] ?? [];
};

const withinRoot = (file: string): string => file.slice(file.indexOf('node_modules/'));
