/** Against a real HTTPS server. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { createTestIdentity } from '../../test/support/test-identity.ts';
import { waitFor } from '../../test/support/wait.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { createWebhookClient } from '../webhook/webhook-client.ts';
import type { AuditBackend } from './audit-backend.ts';
import { createWebhookBackend, type WebhookBackendOptions } from './webhook-backend.ts';

describe('The webhook backend', () => {
  let server: Server;
  let ca = '';
  let received: { readonly authorization: string | undefined; readonly items: readonly unknown[] }[] = [];
  let codes: number[] = [];
  let lost: (readonly [number, string])[] = [];
  let backend: AuditBackend | undefined;
  beforeAll(async () => {
    const identity = await createTestIdentity();
    ({ ca } = identity);
    server = createServer(identity, (request, response) => {
      void readText(request).then((body) => {
        const { items, ...list } = JSON.parse(body) as { readonly items: readonly unknown[] };
        expect(list).toEqual({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} });
        const code = codes.shift() ?? 200;
        if (code === 200) received.push({ authorization: request.headers.authorization, items });
        response.writeHead(code).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    await backend?.close();
    backend = undefined;
    received = [];
    codes = [];
    lost = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (options: Partial<WebhookBackendOptions> = {}, more: { readonly ca?: string } = {}) => {
    const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/events`);
    const client = createWebhookClient({ url, ca, verify: true, authorization: 'Bearer secret', ...more }, { timeoutMs: 10_000 });
    backend = createWebhookBackend({
      client,
      groupSuffix: 'k8s.io',
      reportLoss: (count, { message }) => lost.push([count, message]),
      clock: systemClock,
      random: () => 0,
      bufferSize: 100,
      batchMaxSize: 3,
      batchMaxWaitMs: 60_000,
      initialBackoffMs: 1,
      ...options,
    });
    return backend;
  };
  const items = () => received.flatMap((batch) => batch.items);

  it('sends a batch as soon as it is full, with the credentials', async () => {
    const opened = open();
    for (const event of ['1', '2', '3', '4']) opened.process(event);
    await waitFor(() => received.length > 0, { what: 'a batch' });
    expect(received).toEqual([{ authorization: 'Bearer secret', items: [1, 2, 3] }]);
  });

  it('sends what waits after a while, and at its end', async () => {
    const opened = open({ batchMaxWaitMs: 5 });
    opened.process('1');
    await waitFor(() => received.length > 0, { what: 'a batch' });
    const last = open();
    last.process('2');
    await last.close();
    await opened.close();
    expect(items()).toEqual([1, 2]);
  });

  it('sends a batch again until it is taken', async () => {
    codes = [500, 503, 200];
    const opened = open();
    for (const event of ['1', '2', '3']) opened.process(event);
    await waitFor(() => received.length > 0, { what: 'a batch' });
    expect([items(), lost]).toEqual([[1, 2, 3], []]);
  });

  it('gives a batch up after five attempts, and counts its events', async () => {
    codes = [500, 500, 500, 500, 500, 200];
    const opened = open();
    for (const event of ['1', '2', '3']) opened.process(event);
    await waitFor(() => lost.length > 0, { what: 'the loss' });
    for (const event of ['4', '5', '6']) opened.process(event);
    await waitFor(() => received.length > 0, { what: 'the next batch' });
    expect([items(), lost]).toEqual([[4, 5, 6], [[3, 'the answer is 500: {}']]]);
  });

  it('loses what exceeds its buffer', async () => {
    const opened = open({ bufferSize: 2, batchMaxSize: 50 });
    for (const event of ['1', '2', '3']) opened.process(event);
    await opened.close();
    expect([items(), lost]).toEqual([[1, 2], [[1, 'the buffer is full']]]);
  });

  it('sends nothing to a server that it cannot verify', async () => {
    const opened = open({}, { ca: (await createTestIdentity()).ca });
    opened.process('1');
    await opened.close();
    expect([items(), lost]).toEqual([[], [[1, expect.stringContaining('certificate')]]]);
  });
});
