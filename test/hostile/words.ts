/** What hostile requests are made of: paths, queries, header fields and bodies, from harmless to absurd. */
import { gzipSync } from 'node:zlib';
import type { Choices } from './choices.ts';

export type Field = readonly [name: string, value: string];

const METHODS: readonly string[] = [
  ...['GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  ...['TRACE', 'CONNECT', 'get', 'BREW', 'PRI', 'PROPFIND', 'M-SEARCH', 'X'.repeat(300)],
];

const PATHS: readonly string[] = [
  ...['/', '/livez', '/readyz', '/healthz/ping', '/version', '/metrics', '/docs', '/docs/init.js', '/openapi/v2', '/openapi/v3', '/apis'],
  ...['/debug/pprof/profile', '/debug/pprof/heapsnapshot', '/.well-known/openid-configuration', '/openid/v1/jwks', '/api', '/api/v1'],
  ...['/api/v1/secrets', '/api/v1/namespaces/closed/secrets', '/api/v1/namespaces/closed/secrets/canary', '/api/v1/watch/secrets'],
  ...['/api/v1/namespaces/open/configmaps', '/api/v1/namespaces/open/configmaps/a', '/api/v1/namespaces/closed/configmaps/canary'],
  ...['/apis/coordination.k8s.io/v1/namespaces/open/leases/a', '/apis/batch/v1/namespaces/open/cronjobs', '/api/v1/namespaces/open'],
  ...['/api/v1/namespaces/open/serviceaccounts/a/token', '/apis/authentication.k8s.io/v1/tokenreviews', '/api/v1/namespaces/closed/events'],
  ...['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/power'],
  ...['/apis/batch/v1/namespaces/open/cronjobs/a/status', '/apis/policy/v1/namespaces/open/poddisruptionbudgets/a'],
];

const PIECES: readonly string[] = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '/../',
    '/%2e%2e/',
    '%2f',
    '%2F..%2F',
    '%00',
    '%',
    '%zz',
    '%c0%af',
    '%ff',
    '%252e',
    '%0d%0aX: y',
    ';',
    ';a=b',
  ],
  ...[
    '\\',
    '..\\',
    '?',
    '#',
    '&',
    '@',
    ':',
    '|',
    '~',
    '*',
    '{}',
    '<script>',
    '"',
    "'",
    '\u00e9',
    '\t',
    'A'.repeat(5000),
    '/a'.repeat(2000),
  ],
  ...['/secrets', '/namespaces/closed', '/canary', '/status', '/watch', '/__proto__', '/constructor', '/toString', '.json', '/healthz'],
];

const PREFIXES: readonly string[] = [
  'https://127.0.0.1',
  'http://evil.example',
  'https://user@[::1]',
  '//evil.example',
  'ftp://a',
  '*',
  '',
  '\\',
];

const QUERIES: readonly string[] = [
  ...['watch=1&timeoutSeconds=1', 'watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'limit=1'],
  ...['limit=-1', 'limit=9223372036854775808', 'continue=eyJ2IjoxLCJydiI6MSwic3RhcnQiOiIuLi8uLi8ifQ', 'continue=%00', 'resourceVersion=1'],
  ...['resourceVersion=99999999999999999999999', 'resourceVersion=-1&resourceVersionMatch=Exact', 'resourceVersion=0', 'timeout=1ns'],
  ...['timeout=x', 'timeout=999999h', 'labelSelector=a%20in%20(' + 'b,'.repeat(3000) + 'c)', 'labelSelector=((((', 'labelSelector=a=b,!c'],
  ...['fieldSelector=metadata.name=canary', 'fieldSelector=metadata.namespace=closed', 'fieldSelector=__proto__=x', 'fieldSelector=a%00=b'],
  ...['dryRun=All', 'dryRun=', 'fieldManager=' + 'm'.repeat(200), 'fieldManager=x&force=true', 'fieldValidation=Strict', 'pretty=1'],
  ...['__proto__=1&constructor=2&prototype=3', 'propagationPolicy=Foreground', 'shardSelector=a', 'includeObject=Object', 'a&b=&=c&&%'],
  ...['seconds=1e9', 'hash=x', 'as=application/json', 'x=' + 'y'.repeat(70_000), '%ff=%fe', 'verbose', 'exclude=' + 'z'.repeat(2000)],
];

const FIELDS: readonly Field[] = [
  ...['admin', 'system:masters', 'system:admin', '__proto__', '', 'power', '\u00ff'].map((user): Field => ['Impersonate-User', user]),
  ['Impersonate-Group', 'system:masters'],
  ['Impersonate-Uid', 'x'],
  ['Impersonate-Extra-__proto__', 'x'],
  ['Impersonate-Extra-%zz', 'x'],
  ['X-Remote-User', 'admin'],
  ['X-Remote-Group', 'system:masters'],
  ['X-Forwarded-For', '127.0.0.1, ' + '1.1.1.1,'.repeat(500)],
  ['X-Forwarded-Client-Cert', 'By=x;Subject="CN=admin,O=system:masters"'],
  ['X-Original-URL', '/api/v1/secrets'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Authorization', 'Basic YWRtaW46YWRtaW4='],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer null'],
  ['Authorization', 'Bearer ' + 'x'.repeat(40_000)],
  ['Authorization', `Bearer ${jwt({ alg: 'none' })}`],
  ['Authorization', `Bearer ${jwt({ alg: 'HS256', kid: '../../../../dev/null' })}AAAA`],
  ['Authorization', `Bearer ${jwt({ alg: 'RS256', jku: 'https://evil.example', x5u: 'https://evil.example' })}AAAA`],
  ['Sec-WebSocket-Protocol', 'base64url.bearer.authorization.k8s.io.eA, a'],
  ['Accept', '*/*;q=0.1,'.repeat(300)],
  ['Accept', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ['Accept', 'application/vnd.kubernetes.protobuf'],
  ['Accept', 'application/yaml'],
  ['Accept', 'x/y;q=\u0000'],
  ['Accept-Encoding', 'gzip;q=0, br, *;q=2'],
  ['Accept-Encoding', 'gzip'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'application/json'],
  ['Content-Type', 'application/yaml'],
  ['Content-Type', 'application/merge-patch+json'],
  ['Content-Type', 'application/json-patch+json'],
  ['Content-Type', 'application/strategic-merge-patch+json'],
  ['Content-Type', 'application/apply-patch+yaml'],
  ['Content-Type', 'application/vnd.kubernetes.protobuf'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', ';;;charset="'],
  ['User-Agent', 'a/'.repeat(5000)],
  ['User-Agent', 'kube-apiserver/\u00e9\u0001'],
  ['Origin', 'https://evil.example'],
  ['Cookie', 'a=b; '.repeat(2000)],
  ['Range', 'bytes=0-,5-1'],
  ['Expect', '100-continue'],
  ['Expect', 'nonsense'],
  ['If-None-Match', '"x",'.repeat(2000)],
  ['If-Modified-Since', 'x'.repeat(5000)],
  ['Audit-ID', '../../etc/passwd\u007f'],
  ['Audit-ID', 'a'.repeat(64)],
  ['Connection', 'Impersonate-User, Authorization'],
  ['Upgrade', 'h2c'],
  ['Upgrade', 'SPDY/3.1'],
  ['Access-Control-Request-Method', 'PUT'],
  ['Max-Forwards', '0'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['hasOwnProperty', 'x'],
  ['X_Remote_User', 'admin'],
  ['Trailer', 'Content-Length'],
  ['TE', 'trailers'],
  ['Date', '\u00ff\u00fe'],
  ['X-Large', 'x'.repeat(100_000)],
];

function jwt(header: object): string {
  const claims = { iss: 'https://kubernetes.default.svc.cluster.local', sub: 'system:serviceaccount:kube-system:admin', exp: 1e12 };
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.';
}

const configMap = (more: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"open"}${more}}`;
const smuggled = 'GET /api/v1/namespaces/closed/secrets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const BODIES: readonly Buffer[] = [
  ...[
    '',
    '{}',
    '[]',
    'null',
    '0',
    '"',
    '{',
    '{"a":',
    configMap(''),
    configMap(',"data":{"a":"b"}'),
    configMap(',"data":{"__proto__":"b"}'),
  ],
  ...['{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', configMap(',"__proto__":{"a":1},"__proto__":2')],
  ...['{"metadata":{"labels":{"__proto__":"x","constructor":"y"},"annotations":{"toString":"z"}}}', '{"metadata":{"name":"../../canary"}}'],
  ...['[{"op":"add","path":"/__proto__/polluted","value":true}]', '[{"op":"add","path":"/metadata/__proto__/a","value":1}]'],
  ...[JSON.stringify(Array.from({ length: 40 }, () => ({ op: 'copy', from: '/metadata', path: '/metadata/annotations' })))],
  ...[JSON.stringify(Array.from({ length: 12_000 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })))],
  ...['['.repeat(50_000), '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000), configMap(`,"data":{"a":"${'x'.repeat(200_000)}"}`)],
  ...['{"a":1e400,"b":-1e-400,"c":99999999999999999999999999}', `{${'"a":1,'.repeat(10_000)}"b":2}`, '{"a":"\\ud800\\u0000"}', '\ufeff{}'],
  ...[
    'a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\ne: [*d,*d,*d,*d]\n',
    '? '.repeat(5000),
    '!!js/function "x"',
  ],
  ...['&a [*a]', '- '.repeat(3000), '%YAML 9.9\n---\n{}', 'a: {{x}}', '{"spec":{"schedule":"' + '* '.repeat(5000) + '"}}'],
  ...['{"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}', '{"spec":{"token":"x","audiences":["a"]}}', smuggled],
  ...['{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"x","preconditions":{"uid":null}}', '{"dryRun":["All"]}'],
  ...['{"metadata":{"managedFields":[{"fieldsV1":{"f:metadata":{"f:__proto__":{}}},"fieldsType":"FieldsV1","operation":"Apply"}]}}'],
].map((text) => Buffer.from(text));
const BINARY: readonly Buffer[] = [
  Buffer.from('6b387300', 'hex'),
  Buffer.from('6b3873000a0e0a02763112094261646465640aff12ffffffffffffffffff01', 'hex'),
  Buffer.concat([Buffer.from('6b387300', 'hex'), Buffer.alloc(4000, 0x0a)]),
  Buffer.from('fffe00c328a0a1f0288cbc', 'hex'),
  gzipSync(Buffer.alloc(1_000_000)),
  Buffer.alloc(70_000, 0xff),
];

const chooseBody = (choices: Choices): Buffer => choices.of(choices.rarely(6) ? BINARY : BODIES);

/** What a request asks for, before its protocol frames it. */
export interface HostileIntent {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly Field[];
  readonly body: Buffer;
}

const OPEN = '/api/v1/namespaces/open/configmaps';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/open/leases';
const LEASE_A = '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","namespace":"open"}}';
const MAP_A = configMap(',"data":{"a":"b"}');
const MAP_B = configMap('').replace('"a"', '"b"');
const QUESTION = '{"spec":{"resourceAttributes":{"verb":"get","resource":"secrets","namespace":"closed"}}}';
const LABELS = '{"metadata":{"labels":{"a":"b"}}}';
/** Requests that reach a handler, so that their bodies are read. */
const WRITES: readonly (readonly [method: string, path: string, type: string, good: string])[] = [
  ['POST', OPEN, 'application/json', MAP_B],
  ['POST', OPEN, 'application/yaml', MAP_A],
  ['POST', OPEN, 'application/vnd.kubernetes.protobuf', MAP_A],
  ['POST', OPEN, 'text/plain', MAP_A],
  ['PUT', `${OPEN}/a`, 'application/json', MAP_A],
  ['PUT', `${OPEN}/a`, 'application/yaml', MAP_A],
  ['PATCH', `${OPEN}/a`, 'application/merge-patch+json', LABELS],
  ['PATCH', `${OPEN}/a`, 'application/json-patch+json', '[{"op":"add","path":"/data","value":{"a":"c"}}]'],
  ['PATCH', `${OPEN}/a`, 'application/strategic-merge-patch+json', LABELS],
  ['PATCH', `${OPEN}/a?fieldManager=x&force=true`, 'application/apply-patch+yaml', MAP_A],
  ['PATCH', `${LEASE}/a?fieldManager=x`, 'application/apply-patch+yaml', LEASE_A],
  ['PUT', `${LEASE}/a`, 'application/json', LEASE_A],
  ['POST', LEASE, 'application/json', LEASE_A],
  ['POST', '/apis/batch/v1/namespaces/open/cronjobs', 'application/yaml', LABELS],
  ['POST', '/apis/apps/v1/namespaces/open/controllerrevisions', 'application/json', LABELS],
  ['POST', '/api/v1/namespaces/open/serviceaccounts/a/token', 'application/json', '{}'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'application/json', QUESTION],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', 'application/yaml', '{"spec":{"token":"x"}}'],
  ['DELETE', `${OPEN}/b`, 'application/json', ''],
  ['DELETE', OPEN, 'application/vnd.kubernetes.protobuf', ''],
];

export function chooseIntent(choices: Choices): HostileIntent {
  return choices.rarely(3) ? chooseWrite(choices) : chooseAnything(choices);
}

function chooseAnything(choices: Choices): HostileIntent {
  const method = choices.of(METHODS);
  const body = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : chooseBody(choices);
  return { method, target: chooseTarget(choices), fields: choices.some(FIELDS, 4), body };
}

function chooseWrite(choices: Choices): HostileIntent {
  const [method, path, type, good] = choices.of(WRITES);
  const query = choices.rarely(3) ? `${path.includes('?') ? '&' : '?'}${choices.of(QUERIES)}` : '';
  const body = choices.rarely(3) ? Buffer.from(good) : chooseBody(choices);
  return { method, target: path + query, fields: [['Content-Type', type], ...(choices.rarely(3) ? choices.some(FIELDS, 2) : [])], body };
}

/** Any bytes but those that end a request line: the framing of a protocol is another matter. */
function chooseTarget(choices: Choices): string {
  let path = choices.of(PATHS);
  for (const piece of choices.rarely(2) ? choices.some(PIECES, 3) : []) {
    const at = choices.below(path.length + 1);
    path = path.slice(0, at) + piece + path.slice(at);
  }
  if (choices.rarely(15)) path = choices.of(PREFIXES) + path;
  if (choices.rarely(30)) path = path.toUpperCase();
  const query = choices.rarely(2) ? `?${choices.some(QUERIES, 3).join('&')}` : '';
  return path + query;
}
