/**
 * The object of every row: a CronJob as clusters have it (a pod template with a probe, environment, resources and a
 * volume) plus one annotation that stands for `last-applied-configuration`. The annotation is cut so that the object
 * *as the measured server serves it*, with the managed fields that the server adds, has 3,100 bytes.
 *
 * Object `i` is `job-<i>` in namespace `bench-<i mod 10>` with the label `shard=s<i mod 100>`: a namespace holds 10 %,
 * a shard 1 %.
 */
export const OBJECT_BYTES = 3100;
export const NAMESPACES = 10;
export const SHARDS = 100;
export const COLLECTION = '/apis/batch/v1/cronjobs';
/** Precedes nine digits that writers change in place. */
export const SEQUENCE_MARKER = '"bench.example.com/sequence":"';
export const SEQUENCE_DIGITS = 9;

export const nameOf = (index: number): string => `job-${String(index).padStart(7, '0')}`;
export const namespaceOf = (index: number): string => `bench-${index % NAMESPACES}`;
export const namespacePath = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
export const pathOf = (index: number): string => `${namespacePath(namespaceOf(index))}/${nameOf(index)}`;
export const sequenceText = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

const FIELDS =
  'f:metadata f:annotations f:labels f:app f:shard f:spec f:concurrencyPolicy f:failedJobsHistoryLimit f:jobTemplate f:template f:containers k:name=main f:args f:env ' +
  'f:image f:imagePullPolicy f:livenessProbe f:failureThreshold f:httpGet f:path f:port f:scheme f:periodSeconds f:name f:ports f:resources f:limits f:cpu f:memory ' +
  'f:requests f:securityContext f:allowPrivilegeEscalation f:terminationMessagePath f:volumeMounts f:dnsPolicy f:restartPolicy f:schedulerName f:volumes f:schedule f:suspend ';

const spec = {
  schedule: '15 2 * * 1-5',
  timeZone: 'Europe/Vienna',
  concurrencyPolicy: 'Forbid',
  suspend: false,
  jobTemplate: {
    metadata: { labels: { app: 'report' } },
    spec: {
      backoffLimit: 4,
      template: {
        metadata: { labels: { app: 'report' } },
        spec: {
          volumes: [{ name: 'out', emptyDir: { sizeLimit: '1Gi' } }],
          containers: [
            {
              name: 'main',
              image: 'registry.example.com/report:2.4.1',
              args: ['--format', 'pdf'],
              env: [{ name: 'DB_HOST', value: 'db' }],
              resources: { limits: { cpu: '500m', memory: '256Mi' } },
              volumeMounts: [{ name: 'out', mountPath: '/out' }],
              livenessProbe: {
                httpGet: { path: '/healthz', port: 9090, scheme: 'HTTP' },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
              imagePullPolicy: 'IfNotPresent',
              securityContext: { allowPrivilegeEscalation: false },
            },
          ],
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 30,
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
        },
      },
    },
  },
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
};
const specText = JSON.stringify(spec);

/** The body that creates or replaces object `index`, with `bulkBytes` of padding. ASCII. */
export function bodyOf(index: number, bulkBytes: number, sequence = 0): string {
  const bulk = FIELDS.repeat(Math.ceil(bulkBytes / FIELDS.length)).slice(0, bulkBytes);
  return (
    `{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"${nameOf(index)}","namespace":"${namespaceOf(index)}",` +
    `"labels":{"app":"report","shard":"s${index % SHARDS}"},"annotations":{${SEQUENCE_MARKER}${sequenceText(sequence)}",` +
    `"bench.example.com/bulk":"${bulk}"}},"spec":${specText}}`
  );
}

export const get = (path: string, headers = '', accept = 'application/json'): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\n${headers}\r\n`;
export const withBody = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: string, type = 'application/json'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
export const remove = (path: string): string => `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`;
