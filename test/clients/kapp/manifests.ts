/** The app: a report that is made every night. */

export interface ReportOptions {
  readonly currency: string;
  readonly schedule?: string;
  /** Whether it has a PodDisruptionBudget. */
  readonly budget: boolean;
}

export function manifests({ currency, schedule = '15 2 * * *', budget }: ReportOptions): string {
  const containers = (settings: object) => [{ name: 'report', image: 'registry.example.com/report:1.0', ...settings }];
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      // Each change makes a new one, whose name the CronJob then has.
      metadata: { name: 'nightly-settings', annotations: { 'kapp.k14s.io/versioned': '' } },
      data: { currency },
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'nightly-token' }, stringData: { token: 'open-sesame' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nightly' } },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: {
        schedule,
        jobTemplate: {
          spec: {
            template: {
              spec: {
                serviceAccountName: 'nightly',
                restartPolicy: 'Never',
                containers: containers({ envFrom: [{ configMapRef: { name: 'nightly-settings' } }] }),
              },
            },
          },
        },
      },
    },
    // kapp waits for its end.
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'first-report' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: containers({}) } } },
    },
    ...(budget
      ? [
          {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: 'nightly' },
            spec: { minAvailable: 1, selector: { matchLabels: { app: 'nightly' } } },
          },
        ]
      : []),
  ];
  return objects.map((object) => JSON.stringify(object, undefined, 2)).join('\n---\n');
}
