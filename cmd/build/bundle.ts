/**
 * What the program is bundled into: `coxswain.js`, which loads `serve-….cjs` or `config-….cjs` for the commands that are large, `yaml-worker.js`, `yaml.cjs`, and
 * the files that they share or load when a command needs them. All of them lie in one folder, because they find each other, and what lies beside that folder, by their own address.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { readEtcdMessages } from './etcd-messages.ts';
import { toAscii } from './to-ascii.ts';

/** `node_modules` has them at run time too: `lmdb` is a native library, and of `swagger-ui-dist` files are sent as they are. */
const STAY_PACKAGES = ['lmdb'];

/** Loaded by `cmd/coxswain/load-program.ts`, each with everything that it needs. What they export, the command line asks for. */
const PROGRAMS = [
  { name: 'serve', source: 'cmd/coxswain/serve.ts', exports: 'serve' },
  { name: 'config', source: 'cmd/coxswain/config/config.ts', exports: 'config' },
];

/** A program is one function, which the loader calls. What it says of `import.meta` is true of its file. */
const PROGRAM = {
  banner: {
    js: `(function (exports, require, module, __filename, __dirname) {
const importMetaUrl = require('node:url').pathToFileURL(__filename).href;
const importMetaResolve = (specifier) => require('node:url').pathToFileURL(require.resolve(specifier)).href;`,
  },
  footer: { js: '})' },
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.resolve': 'importMetaResolve',
  },
} satisfies BuildOptions;

/** Libraries written for CommonJS ask for these. */
const COMMON_JS =
  "import { createRequire as createRequireOfThis } from 'node:module'; const require = createRequireOfThis(import.meta.url), __dirname = import.meta.dirname;";

const SHARED = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  legalComments: 'external',
  logLevel: 'warning',
  // Not made smaller: a stack trace in the log tells where something happened, and gaining the last twentieth of a start is not worth that.
  minify: false,
  // An ES module says what it exports, so that the rest of it can be left out.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;

/** Writes everything into `folder`, which need not exist. Rejects, having said why on standard error, when something cannot be bundled. */
export async function bundle(root: string, folder: string): Promise<void> {
  const { metafile } = await build({
    ...SHARED,
    ...PROGRAM,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(PROGRAMS.map(({ name, source }) => [name, source])),
    outdir: folder,
    // Another program has another name, so that it never meets what was compiled of this one.
    entryNames: '[name]-[hash]',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: STAY_PACKAGES,
    define: { ...PROGRAM.define, ETCD_MESSAGES: JSON.stringify(readEtcdMessages(root)) },
    plugins: [standIns(path.join(root, 'cmd/build/stand-in'))],
    metafile: true,
  });
  await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: { coxswain: 'cmd/coxswain/main.ts', 'yaml-worker': 'pkg/apimachinery/yaml/yaml-worker.ts' },
    outdir: folder,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: STAY_PACKAGES,
    banner: { js: COMMON_JS },
    plugins: [loadedPrograms(root, metafile)],
  });
  // Loaded without waiting, which only CommonJS can do.
  await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: { yaml: 'yaml' },
    outdir: folder,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  });
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    if (/\.c?js$/.test(name)) await writeFile(file, toAscii(await readFile(file, 'utf8')));
  }
  // For what is compiled of them, by processes that would keep the folder to themselves.
  await mkdir(path.join(folder, 'compiled'));
  await writeFile(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ type: 'module', imports: { '#yaml': './yaml.cjs' } }, undefined, 2)}\n`,
  );
}

/** Never asked for by what is used of the library, and large. */
const NEVER = { package: '@grpc/proto-loader', of: '/grpc-js/' };

/** Parts of libraries that cost a start much and give the program nothing: what stands in for them says why. */
const STAND_INS = [
  { package: '@grpc/proto-loader', of: '/etcd3/lib/', by: 'proto-loader.ts' },
  { package: 'body-parser', of: '/express/lib/', by: 'body-parser.ts' },
  { package: 'mime-types', of: '/node_modules/', by: 'mime-types.ts' },
];

const standIns = (folder: string): Plugin => ({
  name: 'stand-ins',
  setup: (builder) => {
    builder.onResolve({ filter: /^(@grpc\/proto-loader|body-parser|mime-types)$/ }, ({ path: asked, importer }) => {
      if (asked === NEVER.package && importer.includes(NEVER.of)) return { path: asked, external: true };
      const found = STAND_INS.find((each) => each.package === asked && importer.includes(each.of));
      return found === undefined ? undefined : { path: path.join(folder, found.by) };
    });
  },
});

/** In place of a program's source stands that it is loaded. `built`: what became of the programs. */
const loadedPrograms = (root: string, built: Metafile): Plugin => ({
  name: 'loaded-programs',
  setup: (builder) => {
    const namespace = 'program';
    builder.onResolve({ filter: /\.ts$/ }, ({ path: asked, resolveDir, kind }) => {
      const source = path.relative(root, path.join(resolveDir, asked));
      const isProgram = kind === 'dynamic-import' && PROGRAMS.some((each) => each.source === source);
      return isProgram ? { path: source, namespace } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace }, ({ path: source }) => {
      const exported = PROGRAMS.find((each) => each.source === source)?.exports ?? '';
      const file = Object.entries(built.outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? '';
      const name = path.basename(file, '.cjs');
      const contents = `import { loadProgram } from './cmd/coxswain/load-program.ts';\nexport const { ${exported} } = loadProgram('${name}');\n`;
      return { contents, loader: 'js', resolveDir: root };
    });
  },
});
