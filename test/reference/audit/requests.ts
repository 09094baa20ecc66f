/** Requests of every verb, level and refusal, for the audit. Each has its number as its Audit-Id. */

export interface AuditedCall {
  readonly method: string;
  readonly path: string;
  /** An object is sent as JSON. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** At each level, with and without managedFields and the first stage. */
export const POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: None
  nonResourceURLs: ["/readyz*", "/livez*"]
- level: Metadata
  resources: [{group: "", resources: ["configmaps"]}]
- level: Request
  resources: [{group: "policy"}]
- level: RequestResponse
  omitManagedFields: true
  resources: [{group: "apps"}]
- level: RequestResponse
  omitStages: [RequestReceived]
`;

const JSON_BODY = { 'content-type': 'application/json' };
const as = (type: string) => ({ 'content-type': type });
const accept = (type: string) => ({ accept: type });

const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';

const CRON_JOB = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'a' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
};

const post = (path: string, body: object | string): AuditedCall => ({ method: 'POST', path, body, headers: JSON_BODY });
const put = (path: string, body: object): AuditedCall => ({ method: 'PUT', path, body, headers: JSON_BODY });
const get = (path: string, headers: AuditedCall['headers'] = {}): AuditedCall => ({ method: 'GET', path, headers });
const remove = (path: string, body?: object): AuditedCall => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body, headers: JSON_BODY }),
});
const patch = (path: string, type: string, body: object | string): AuditedCall => ({ method: 'PATCH', path, body, headers: as(type) });

export const CALLS: readonly AuditedCall[] = [
  post(CRON_JOBS, CRON_JOB),
  post(CRON_JOBS, CRON_JOB),
  get(`${CRON_JOBS}/a`),
  get(`${CRON_JOBS}/nope`),
  get(`${CRON_JOBS}/a`, accept('application/vnd.kubernetes.protobuf')),
  get(CRON_JOBS),
  get(CRON_JOBS, accept('application/vnd.kubernetes.protobuf')),
  get(CRON_JOBS, { 'accept-encoding': 'gzip' }),
  get(CRON_JOBS, accept('application/yaml')),
  { method: 'HEAD', path: CRON_JOBS },
  { method: 'HEAD', path: `${CRON_JOBS}/a` },
  patch(`${CRON_JOBS}/a`, 'application/merge-patch+json', { spec: { suspend: true } }),
  // In JSON: kube-apiserver loses the event of an apply in YAML.
  patch(`${CRON_JOBS}/a?fieldManager=m`, 'application/apply-patch+yaml', { apiVersion: 'batch/v1', kind: 'CronJob', metadata: {} }),
  patch(`${CRON_JOBS}/a`, 'application/json-patch+json', [{ op: 'add', path: '/spec/suspend', value: false }]),
  put(`${CRON_JOBS}/a`, CRON_JOB),
  put(`${CRON_JOBS}/a/status`, { ...CRON_JOB, status: { lastScheduleTime: '2026-01-01T00:00:00Z' } }),
  post(CRON_JOBS, '{}'),
  remove(`${CRON_JOBS}/a?propagationPolicy=Background`),
  post(CONFIG_MAPS, { metadata: { generateName: 'g-' }, data: { a: 'b' } }),
  post(CONFIG_MAPS, { metadata: { name: 'one' }, data: { a: 'b' } }),
  put(`${CONFIG_MAPS}/one`, { metadata: { name: 'one' }, data: { a: 'c' } }),
  get(`${CONFIG_MAPS}/one`),
  patch(`${CONFIG_MAPS}/one`, 'application/merge-patch+json', { data: { x: 'y' } }),
  remove(`${CONFIG_MAPS}/one`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }),
  get(`${CONFIG_MAPS}/one`),
  post(BUDGETS, { metadata: { name: 'p' }, spec: { minAvailable: 1 } }),
  get(`${BUDGETS}/p`),
  remove(`${BUDGETS}/p`, { kind: 'DeleteOptions', apiVersion: 'policy/v1', propagationPolicy: 'Background' }),
  post(REVISIONS, { metadata: { name: 'r' }, revision: 1, data: { x: 1 } }),
  get(`${REVISIONS}/r`),
  get(REVISIONS),
  remove(`${REVISIONS}/r`),
  get('/apis/batch/v1/cronjobs?watch=1&timeoutSeconds=1'),
  get('/apis/batch/v1/watch/cronjobs?timeoutSeconds=1'),
  get(CRON_JOBS, { authorization: 'Bearer wrong' }),
  get('/version'),
  get('/apis/batch'),
  get('/nope'),
  get('/apis/nope/v1/things'),
  post(`${CRON_JOBS}/a/nope`, {}),
  { method: 'OPTIONS', path: CRON_JOBS },
  post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }),
  get(CRON_JOBS, { 'x-forwarded-for': '10.1.2.3, 10.9.9.9', 'x-real-ip': '10.7.7.7' }),
  get(CRON_JOBS, { 'x-forwarded-for': 'nonsense, 10.9.9.9' }),
  get(CRON_JOBS, { 'x-real-ip': '10.7.7.7' }),
  get(CRON_JOBS, { 'user-agent': 'x'.repeat(1100) }),
  get(`${CRON_JOBS}?labelSelector=a%20in%20(b)&limit=5`),
  post('/api/v1/namespaces', { metadata: { name: 'audited' } }),
  get('/api/v1/namespaces/audited'),
  post(`${CRON_JOBS}?dryRun=All`, CRON_JOB),
  get(`${CRON_JOBS}/a/status`),
];
