// Imports point down this table only; what is not listed is forbidden.
const MAY_IMPORT = {
  apimachinery: '',
  http2: 'apimachinery',
  observability: 'apimachinery',
  apis: 'apimachinery',
  schema: 'apimachinery|apis',
  fieldmanager: 'apimachinery|apis',
  storage: 'apimachinery|http2|observability',
  watchcache: 'apimachinery|observability|storage',
  admission: 'apimachinery|apis|schema|observability|authentication|authorization',
  registry: 'apimachinery|observability|apis|schema|fieldmanager|storage|watchcache|authentication|authorization|flowcontrol|admission',
  controllers: 'apimachinery|observability|apis|storage|watchcache|authorization|admission|registry',
  certificates: 'apimachinery|observability',
  authentication: 'apimachinery|observability',
  authorization: 'apimachinery|observability|apis|authentication',
  flowcontrol: 'apimachinery|observability',
  server:
    'apimachinery|http2|observability|apis|schema|fieldmanager|storage|watchcache|admission|registry|authentication|authorization|flowcontrol|audit',
  config: 'apimachinery|apis|schema',
  webhook: 'apimachinery|config',
  manifests: 'apimachinery|config|observability',
  audit: 'apimachinery|observability|apis|config|webhook|authentication|authorization',
};
// The same inside the watch cache: what is derived from entries, the entries, and what writes them.
const WATCH_CACHE = {
  representations: '',
  store: 'representations',
  lists: 'representations|store',
  watches: 'representations|store',
};
const HOME = {
  express: 'server',
  '@peculiar/x509': 'certificates',
  'reflect-metadata': 'certificates',
  'swagger-ui-dist': 'server/docs',
  ajv: 'schema',
  esbuild: 'cmd/build',
  etcd3: 'storage/etcd',
  'fast-json-patch': 'fieldmanager/json-patch',
  jose: 'authentication',
  lmdb: 'storage/embedded',
  'prom-client': 'observability',
  winston: 'observability',
  ws: 'server/transports',
};
const error = (name, from, to) => ({ name, severity: 'error', from, to });
module.exports = {
  forbidden: [
    error('no-circular', {}, { circular: true }),
    ...Object.entries(MAY_IMPORT).map(([folder, down]) =>
      error(
        `${folder}-may-import`,
        { path: `^pkg/${folder}/`, pathNot: '\\.test\\.ts$' },
        { path: '^(pkg|cmd|test)/', pathNot: `^pkg/(${[folder, down].filter(Boolean).join('|')})/` },
      ),
    ),
    ...Object.entries(WATCH_CACHE).map(([folder, down]) =>
      error(
        `watchcache-${folder}`,
        { path: `^pkg/watchcache/${folder}/`, pathNot: '\\.test\\.ts$' },
        { path: '^pkg/watchcache/[^/]+/', pathNot: `^pkg/watchcache/(${[folder, down].filter(Boolean).join('|')})/` },
      ),
    ),
    ...Object.entries(HOME).map(([library, home]) =>
      error(
        `${library}-only-in-${home}`,
        { path: '^(cmd|pkg)/', pathNot: [`^(pkg/)?${home}/`, '\\.test\\.ts$', '^cmd/build/etcd-services'] },
        { path: `node_modules/${library}/` },
      ),
    ),
    error(
      'kinds-stand-alone',
      { path: '^pkg/apis/([^/]+/[^/]+/[^/]+)/' },
      { path: '^pkg/apis/[^/]+/[^/]+/[^/]+/', pathNot: '^pkg/apis/($1|meta/|core/)' },
    ),
    error('backends-are-chosen-in-cmd', { path: '^pkg/(?!storage/)', pathNot: '\\.test\\.ts$' }, { path: '^pkg/storage/(etcd|embedded)/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/clients/[^/]+/([.]venv|bin|target)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
