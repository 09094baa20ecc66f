import { writeFile } from 'node:fs/promises';
import type { HttpsService } from './https-service.ts';

/** Writes the kubeconfig of a webhook. */
export const writeWebhookFile = (file: string, { url, ca }: Pick<HttpsService, 'url' | 'ca'>): Promise<void> =>
  writeFile(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'hook', cluster: { server: `${url}/check`, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: 'server', user: {} }],
      contexts: [{ name: 'hook', context: { cluster: 'hook', user: 'server' } }],
      'current-context': 'hook',
    }),
  );
