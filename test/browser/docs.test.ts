/**
 * `/docs` in a real browser, as users open it: on the insecure port, through `kubectl proxy`, and over HTTPS with a
 * token.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { openBrowser, type Browser, type WatchedPage } from '../support/browser.ts';
import { CRON_JOB, collectionPath, everywherePath } from '../support/kinds.ts';
import { openKubectl } from '../support/kubectl.ts';
import {
  startSecureServer,
  startServer,
  temporaryDirectory,
  type SecureServer,
  type ServerProcess,
  type TemporaryDirectory,
} from '../support/server.ts';

const SHOWN_MS = 10_000;
const TOKEN = 'a-token-for-the-browser';
const ALL_CRON_JOBS = everywherePath(CRON_JOB);

/** What the page must never do, and where its requests went. */
const conduct = async ({ requests, complaints }: WatchedPage) => ({
  origins: [...new Set(requests.map((url) => new URL(url).origin))],
  complaints: await complaints(),
});

/** As much of a DOM element as is read here: functions on it run in the page. */
interface Shown {
  readonly textContent: string;
  readonly value?: string;
  querySelector: (selector: string) => Shown | null;
  getAttribute: (name: string) => string | null;
}

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(selector, (shown: Shown[]) => shown.map(({ textContent }) => textContent));
const text = (page: Page, selector: string): Promise<string> => page.$eval(selector, ({ textContent }: Shown) => textContent);

/** The element, as soon as it is there. Throws with what the page shows instead. */
async function appears(page: Page, selector: string) {
  const found = await page.waitForSelector(selector, { timeout: SHOWN_MS }).catch(async (error: unknown) => {
    throw new Error(`there is no ${selector}; the page says: ${await text(page, 'body')}`, { cause: error });
  });
  if (found === null) throw new Error(`there is no ${selector}`);
  return found;
}

/** Method and path of every operation that is shown. */
const operations = (page: Page): Promise<string[]> =>
  page.$$eval('.opblock', (blocks: Shown[]) =>
    blocks.map((block) => {
      const path = block.querySelector('.opblock-summary-path')?.getAttribute('data-path') ?? '';
      return `${block.querySelector('.opblock-summary-method')?.textContent ?? ''} ${path}`;
    }),
  );

async function openDocument(page: Page, base: string, name: string, firstPath: string): Promise<void> {
  if (!page.url().startsWith(`${base}/docs`)) await page.goto(`${base}/docs`);
  const menu = await appears(page, '.topbar select');
  const value = await page.$$eval(
    '.topbar option',
    (options: Shown[], wanted) => options.find(({ textContent }) => textContent === wanted)?.value ?? '',
    name,
  );
  await menu.select(value);
  await appears(page, `[data-path="${firstPath}"]`);
}

/** Expands the list of all cron jobs, sends it, and gives the code and the text of the answer. */
async function execute(page: Page): Promise<{ readonly code: string; readonly body: string }> {
  const block = `.opblock-get:has([data-path="${ALL_CRON_JOBS}"])`;
  await (await appears(page, `${block} .opblock-summary-control`)).click();
  await (await appears(page, `${block} .try-out__btn`)).click();
  await (await appears(page, `${block} .execute`)).click();
  await appears(page, `${block} .live-responses-table .microlight`);
  const textOf = (selector: string) => text(page, `${block} .live-responses-table ${selector}`);
  return { code: await textOf('tbody .response-col_status'), body: await textOf('.microlight') };
}

describe('/docs in a browser', () => {
  let browser: Browser | undefined;
  let server: ServerProcess | undefined;
  let watched: WatchedPage | undefined;
  let data: TemporaryDirectory | undefined;
  const opened = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('it was not opened');
    return thing;
  };
  beforeAll(async () => {
    data = await temporaryDirectory();
    server = await startServer(['--data-dir', data.path]);
    const created = await server.post(collectionPath(CRON_JOB, 'shop'), CRON_JOB.sample('shown-in-the-page', 'shop'));
    expect(created.code).toBe(201);
    browser = await openBrowser();
    watched = await browser.open();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await data?.remove();
  });

  describe('on the insecure port', () => {
    const own = '/apis/batch/v1/namespaces/{namespace}/cronjobs';
    const other = '/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets';

    it('shows the operations of a document', async () => {
      const { page } = opened(watched);
      await openDocument(page, opened(server).baseUrl, 'apis/batch/v1', own);
      expect(await operations(page)).toEqual(
        expect.arrayContaining([`GET ${ALL_CRON_JOBS}`, `POST ${own}`, `PUT ${own}/{name}/status`, `DELETE ${own}/{name}`]),
      );
    });

    it('has a document for every group version', async () => {
      expect(await texts(opened(watched).page, '.topbar option')).toEqual(
        expect.arrayContaining(['apis/apps/v1', 'apis/batch/v1', 'apis/policy/v1', 'apis/events.k8s.io/v1', 'version']),
      );
    });

    it('explains an operation, sends it and shows the answer', async () => {
      const { page } = opened(watched);
      const { code, body } = await execute(page);
      expect(code).toBe('200');
      expect(JSON.parse(body)).toMatchObject({ kind: 'CronJobList', items: [{ metadata: { name: 'shown-in-the-page' } }] });
      expect(await texts(page, '.parameter__name')).toEqual(expect.arrayContaining(['labelSelector', 'fieldSelector', 'limit', 'watch']));
    });

    it('shows the operations of another document when it is chosen', async () => {
      const { page } = opened(watched);
      await openDocument(page, opened(server).baseUrl, 'apis/policy/v1', other);
      const shown = await operations(page);
      expect(shown).toContain(`POST ${other}`);
      expect(shown).not.toContain(`POST ${own}`);
    });

    it('asked no other host meanwhile, and broke no rule of its policy', async () => {
      expect(await conduct(opened(watched))).toEqual({ origins: [opened(server).baseUrl], complaints: [] });
    });
  });

  it('says so when the list of documents cannot be read', async () => {
    const { page } = await opened(browser).open();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('/openapi/v3')) void request.respond({ status: 403, contentType: 'application/json', body: '{}' });
      else void request.continue();
    });
    await page.goto(`${opened(server).baseUrl}/docs`);
    await appears(page, '.failure');
    expect(await text(page, '.failure')).toContain('403');
  });

  it('works through kubectl proxy', async () => {
    const kubectl = await openKubectl({ server: () => opened(server).baseUrl });
    const proxy = await kubectl.serve(['proxy', '--port', '0'], /Starting to serve on (\S+)/);
    try {
      const base = `http://${proxy.found}`;
      const through = await opened(browser).open();
      await openDocument(through.page, base, 'apis/batch/v1', ALL_CRON_JOBS);
      expect(await execute(through.page)).toMatchObject({ code: '200', body: expect.stringContaining('shown-in-the-page') });
      expect(await conduct(through)).toEqual({ origins: [base], complaints: [] });
    } finally {
      await proxy.stop();
      await kubectl.close();
    }
  });

  describe('over HTTPS', () => {
    let secure: SecureServer | undefined;
    beforeAll(async () => {
      secure = await startSecureServer([], { tokens: [{ token: TOKEN, user: 'reader', groups: ['system:masters'] }] });
    }, 30_000);
    afterAll(() => secure?.stop());

    it('works with credentials', async () => {
      const through = await opened(browser).open();
      await through.page.setExtraHTTPHeaders({ Authorization: `Bearer ${TOKEN}` });
      await openDocument(through.page, opened(secure).url, 'apis/batch/v1', ALL_CRON_JOBS);
      expect(await execute(through.page)).toMatchObject({ code: '200', body: expect.stringContaining('CronJobList') });
      expect(await conduct(through)).toEqual({ origins: [opened(secure).url], complaints: [] });
    });

    it('shows nothing to those without', async () => {
      const { page } = await opened(browser).open();
      const answer = await page.goto(`${opened(secure).url}/docs`);
      expect([401, 403]).toContain(answer?.status());
    });
  });
});
