/** The built program in a folder of its own, with nothing but what it needs there. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
/** Packages that are not bundled, with what they need. */
const EXTERNAL = ['lmdb', 'etcd3', '@grpc', 'swagger-ui-dist'];

export interface Installation {
  readonly launcher: string;
  /** For the environment of a start whose loaded files are wanted. */
  readonly recording: NodeJS.ProcessEnv;
  /** URLs of the files that the starts so far have loaded. */
  readonly loaded: () => Promise<readonly string[]>;
}

export async function install(folder: string): Promise<Installation> {
  for (const name of ['bin', 'package.json', 'schemas/openapi']) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  const runtime = `node-${process.platform === 'darwin' ? 'bin-' : ''}${process.platform}-${process.arch}`;
  for (const name of [...EXTERNAL, runtime]) await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await promisify(execFile)(process.execPath, [join(ROOT, 'cmd/build/main.ts'), join(folder, 'dist')]);

  const record = join(folder, 'loaded.txt');
  const hooks = join(folder, 'record.mjs');
  await writeFile(
    hooks,
    `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(record)}, url + '\\n'), next(url, context)) });
`,
  );
  return {
    launcher: join(folder, 'bin/coxswain'),
    recording: { NODE_OPTIONS: `--import ${hooks}` },
    loaded: async () => (await readFile(record, 'utf8')).trimEnd().split('\n'),
  };
}
