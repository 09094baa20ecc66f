/** `make build`: bundles the program into `dist/` or a named folder. Without it `bin/coxswain` runs the sources. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

await rm(folder, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { coxswain: 'cmd/coxswain/main.ts', 'yaml-worker': 'pkg/apimachinery/yaml/yaml-worker.ts' },
  outdir: folder,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Dynamic imports become separate files, so a command loads only what it uses.
  splitting: true,
  chunkNames: '[name]-[hash]',
  // `lmdb` is native; `etcd3` reads its messages from files of its package.
  external: ['lmdb', 'etcd3', '@grpc/grpc-js'],
  mainFields: ['module', 'main'],
  legalComments: 'external',
  logLevel: 'warning',
  // V8 keeps the text of a program in memory as long as it runs. Names stay and lines are short, so that stack traces
  // are readable.
  minifyWhitespace: true,
  lineLimit: 160,
  // Bundled CommonJS packages ask for these.
  banner: {
    js: "import { createRequire as createRequireOfFile } from 'node:module'; const require = createRequireOfFile(import.meta.url), __dirname = import.meta.dirname;",
  },
});
// V8 keeps a text with any other character in two bytes for each. Regular expressions are what esbuild does not escape.
for (const name of await readdir(folder)) {
  if (!name.endsWith('.js')) continue;
  const found = /[^\0-\x7f]/.exec(await readFile(path.join(folder, name), 'latin1'));
  if (found !== null) throw new Error(`${name} has a character that is not ASCII, at ${found.index}: write it as \\u… in its source`);
}
await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n');
