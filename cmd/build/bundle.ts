/**
 * What the program is bundled into: `coxswain.js`, which loads `serve-….cjs` or `config-….cjs` for the commands that are large, parts of these that few starts need, `yaml-worker.js`,
 * `yaml.cjs`, and the files that they share or load when a command needs them. All of them lie in one folder, because they find each other, and what
 * lies beside that folder, by their own address.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { readEtcdMessages } from './etcd-messages.ts';
import { SOURCES_FILE } from './sources-file.ts';
import { toAscii } from './to-ascii.ts';

/** `node_modules` has them at run time too: `lmdb` is a native library, and of `swagger-ui-dist` files are sent as they are. */
const STAY_PACKAGES = ['lmdb'];

/**
 * Modules that are imported by those who need them when they start, and are large. Each becomes a file with everything that it needs, which
 * `cmd/coxswain/load-program.ts` loads: the text of a file stays in memory for as long as one of its functions does. Not for what is loaded later: a server may find another build then.
 */
const PARTS = { 'etcd-login': 'pkg/storage/etcd/login-call.ts', 'parse-yaml': 'cmd/coxswain/yaml.ts' };
/** The large commands, loaded in the same way. */
const COMMANDS = { serve: 'cmd/coxswain/serve.ts', config: 'cmd/coxswain/config/config.ts' };

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
  metafile: true,
  platform: 'node',
  target: 'node24',
  legalComments: 'external',
  logLevel: 'warning',
  // V8 keeps the text of a program as long as it runs. Names stay, and lines are short: a stack trace in the log tells where something happened.
  minifyWhitespace: true,
  lineLimit: 160,
  // An ES module says what it exports, so that the rest of it can be left out.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;

/** Writes everything into `folder`, which need not exist. Rejects, having said why on standard error, when something cannot be bundled. */
export async function bundle(root: string, folder: string): Promise<void> {
  const built: Metafile[] = [];
  const programs = new Map<string, BuiltProgram>();
  for (const entryPoints of [PARTS, COMMANDS]) {
    const { metafile } = await build({
      ...SHARED,
      ...PROGRAM,
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      // Another program has another name, so that it never meets what was compiled of this one.
      entryNames: '[name]-[hash]',
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      external: STAY_PACKAGES,
      define: { ...PROGRAM.define, ETCD_MESSAGES: JSON.stringify(readEtcdMessages(root)) },
      plugins: [standIns(path.join(root, 'cmd/build/stand-in')), loadedPrograms(root, programs)],
    });
    built.push(metafile);
    for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
      if (entryPoint === undefined) continue;
      programs.set(entryPoint, { name: path.basename(file, '.cjs'), exports: await exportsOf(root, entryPoint) });
    }
  }
  const { metafile } = await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: { coxswain: 'cmd/coxswain/main.ts', 'yaml-worker': 'pkg/apimachinery/yaml/yaml-worker.ts' },
    outdir: folder,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: STAY_PACKAGES,
    banner: { js: COMMON_JS },
    plugins: [loadedPrograms(root, programs)],
  });
  // Loaded without waiting, which only CommonJS can do.
  const yaml = await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: { yaml: 'yaml' },
    outdir: folder,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  });
  await writeFile(path.join(folder, SOURCES_FILE), `${JSON.stringify(sourcesOf([...built, metafile, yaml.metafile]), undefined, 1)}\n`);
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

const sourcesOf = (metafiles: readonly Metafile[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs)
        .filter(([file]) => /\.c?js$/.test(file))
        .map(([file, { inputs }]) => [
          path.basename(file),
          Object.keys(inputs).filter((source) => (inputs[source]?.bytesInOutput ?? 0) > 0 && !source.startsWith(`${PROGRAM_NAMESPACE}:`)),
        ]),
    ),
  );

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

const PROGRAM_NAMESPACE = 'program';

interface BuiltProgram {
  /** Of its file, without the extension. */
  readonly name: string;
  readonly exports: readonly string[];
}

/** What a module exports: of CommonJS, which programs are, nobody can tell from outside. */
async function exportsOf(root: string, source: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...SHARED,
    absWorkingDir: root,
    entryPoints: [source],
    outdir: root,
    format: 'esm',
    packages: 'external',
    write: false,
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** In place of a program's source stands that it is loaded. `programs`: those that are built, by their sources. */
const loadedPrograms = (root: string, programs: ReadonlyMap<string, BuiltProgram>): Plugin => ({
  name: 'loaded-programs',
  setup: (builder) => {
    builder.onResolve({ filter: /\.ts$/ }, ({ path: asked, resolveDir, kind }) => {
      const source = path.relative(root, path.join(resolveDir, asked));
      if (kind === 'entry-point' || !programs.has(source)) return undefined;
      if (kind === 'dynamic-import') return { path: source, namespace: PROGRAM_NAMESPACE };
      return { errors: [{ text: `${source} is a file of its own: import it when it is needed, with import()` }] };
    });
    builder.onLoad({ filter: /.*/, namespace: PROGRAM_NAMESPACE }, ({ path: source }) => {
      const program = programs.get(source);
      if (program === undefined) return undefined;
      const { name, exports } = program;
      const contents = `import { loadProgram } from './cmd/coxswain/load-program.ts';\nexport const { ${exports.join(', ')} } = loadProgram('${name}');\n`;
      return { contents, loader: 'js', resolveDir: root };
    });
  },
});
