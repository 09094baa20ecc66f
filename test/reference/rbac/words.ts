/** What random policies and questions are made of: what clients say, and what an index could confuse with it. */
import { RBAC_GROUP } from './policy.ts';

/** Names that plain objects already have. */
const INHERITED = ['__proto__', 'constructor'];

export const NAMESPACES = ['default', 'team-a', 'a', 'constructor'];

/** Of roles and bindings. */
export const NAMES = ['view', 'View', 'system:basic-user', ...INHERITED];

export const SERVICE_ACCOUNTS = ['default', 'builder', 'a', 'a.b'];

/** Some are also groups, service accounts, or nearly that. */
export const USERS = [
  'alice',
  'Alice',
  'ünï "q"\t\u{1f600}',
  'a\\b\u00a0\u200b\u007f\u2028\ufeff\n',
  'devs',
  '*',
  'system:anonymous',
  'system:serviceaccount:team-a:builder',
  'system:serviceaccount:default:default',
  'system:serviceaccount:a:a',
  'system:serviceaccount::builder',
  'system:serviceaccount:builder',
  'system:serviceaccount:team-a:builder:x',
  'team-a:builder',
  ...INHERITED,
];

export const GROUPS = [
  'devs',
  'alice',
  'system:masters',
  'system:authenticated',
  'system:serviceaccounts',
  'system:serviceaccounts:team-a',
  'ops team',
  'ops\u00ad\u001b\u3000',
  '*',
  ...INHERITED,
];

export const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  '*',
  'GET',
  '',
  ...INHERITED,
];

export const API_GROUPS = ['', 'batch', 'apps', RBAC_GROUP, '*', 'Batch', ...INHERITED];

/** Of rules: with subresources and wildcards, of which only some mean anything. */
export const RESOURCES = [
  'cronjobs',
  'cronjobs/status',
  'pods',
  'pods/log',
  'status',
  '*',
  '*/status',
  '*/log',
  '*/*',
  'cronjobs/*',
  '*/status/x',
  'cronjobs/status/x',
  'cronjobs/',
  '*/',
  '/status',
  'cronjobs:status',
  '*s',
  '**',
  '',
  ...INHERITED,
];

/** Of requests. */
export const PLAIN_RESOURCES = ['cronjobs', 'pods', 'status', '*', '', 'CronJobs', 'cronjobs/status', ...INHERITED];
export const SUBRESOURCES = ['', 'status', 'log', '*', 'status/x', 'Status', ...INHERITED];

/** Of objects that a request or a rule names. */
export const OBJECT_NAMES = ['a', 'b', 'A', '', '*', 'a*', ...INHERITED];

/** Of rules. */
export const PATH_PATTERNS = [
  '/healthz',
  '/healthz/*',
  '/healthz*',
  '/apis/*',
  '/logs/**',
  '/a*b',
  '/a*b*',
  '/*',
  '*',
  '**',
  '/',
  '',
  '/ünï*',
  ...INHERITED,
];

/** Of requests. */
export const PATHS = [
  '/healthz',
  '/healthz/',
  '/healthz/etcd',
  '/healthzy',
  '/HEALTHZ',
  '/healthz/*',
  '/apis',
  '/apis/batch/v1',
  '/logs/x/y',
  '/ab',
  '/a*b',
  '/a*bc',
  '/',
  '',
  '*',
  '/ünïx',
  ...INHERITED,
];
