import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openHttpsService, type HttpsService } from '../../test/support/https-service.ts';
import { createWebhookClient, type WebhookClient } from './webhook-client.ts';

let service: HttpsService;
let client: WebhookClient;
const asked: string[] = [];
beforeEach(async () => {
  asked.length = 0;
  service = await openHttpsService((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    if (url === '/moved') response.writeHead(307, { Location: '/elsewhere' }).end();
    else response.end(url === '/large' ? 'x'.repeat(2000) : '{}');
  });
});
afterEach(async () => {
  client.close();
  await service.close();
});

const post = (path: string) => {
  client = createWebhookClient(
    { url: new URL(service.url + path), ca: service.ca, verify: true },
    { timeoutMs: 10_000, maxResponseBytes: 1000 },
  );
  return client.post('{}').then(String);
};

describe('A webhook', () => {
  it('is asked once, and its body is the answer', async () => {
    expect([await post('/'), asked]).toEqual(['{}', ['/']]);
  });

  it('leads nowhere else: a redirect is not followed', async () => {
    await expect(post('/moved')).rejects.toThrow('the answer is 307');
    expect(asked).toEqual(['/moved']);
  });

  it('is not read beyond a limit', async () => {
    await expect(post('/large')).rejects.toThrow('the answer is larger than 1000 bytes');
  });
});
