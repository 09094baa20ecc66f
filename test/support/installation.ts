/** The built program in a folder of its own, with nothing but what it needs there. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
/** The packages that are not part of the built files; what they themselves need stands where they really are. */
const APART = /^(lmdb|swagger-ui-dist|node-(linux|bin)-.*)$/;

export interface Installation {
  readonly launcher: string;
  /** For the environment of a start whose loaded files are wanted. */
  readonly recording: NodeJS.ProcessEnv;
  /** Of which sources and packages the files were made that the starts so far have loaded: `pkg/server/…`, `node_modules/lmdb/…`. */
  readonly loaded: () => Promise<readonly string[]>;
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
  await writeFile(hooks, recorder(record));
  return {
    launcher: join(folder, 'bin/coxswain'),
    recording: { NODE_OPTIONS: `--import ${hooks}` },
    loaded: async () => {
      const urls = (await readFile(record, 'utf8')).trimEnd().split('\n');
      const files = [...new Set(urls)]
        .filter((url) => url.startsWith('file:') && !url.endsWith(basename(hooks)))
        .map((url) => fileURLToPath(url));
      const sources: string[] = [];
      for (const file of files) sources.push(...(file.startsWith(folder) ? await sourcesOf(file) : [withinRoot(file)]));
      return sources;
    },
  };
}

const recorder = (record: string) => `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(record)}, url + '\\n'), next(url, context)) });
`;

/** A built file says in comments what it was made of. */
const sourcesOf = async (file: string): Promise<readonly string[]> =>
  [...(await readFile(file, 'utf8')).matchAll(/^\/\/ ((?:cmd|pkg|node_modules)\/\S+)$/gm)].map(([, source = '']) => source);

const withinRoot = (file: string): string => file.slice(file.indexOf('node_modules/'));
