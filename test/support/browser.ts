/**
 * A headless Chromium: `CHROMIUM`, else one on the PATH, else Debian's `chromium-headless-shell` when root can install
 * it. With none of the three the tests fail and say what was looked for; they are never skipped.
 */
import { launch, type Page } from 'puppeteer-core';
import { BROWSER_PROGRAMS, findOnPath, findOrInstall } from './programs.ts';

async function findBrowser(): Promise<string> {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const found = BROWSER_PROGRAMS.map(findOnPath).find((path) => path !== undefined);
  if (found !== undefined) return found;
  const [smallest] = BROWSER_PROGRAMS;
  const { path, why } = await findOrInstall(smallest, smallest);
  if (path === undefined)
    throw new Error(`There is no browser: CHROMIUM is not set; none of ${BROWSER_PROGRAMS.join(', ')} is there; ${why}`);
  return path;
}

/** One page, and everything that a page must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Absolute URLs of all requests over the network, in order. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console, uncaught errors, failed requests, and violations of the page's policy. */
  readonly complaints: () => Promise<readonly string[]>;
}

export interface Browser {
  readonly open: () => Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Takes any server certificate: who the server is, is not what these tests are about. */
export async function openBrowser(): Promise<Browser> {
  // Chromium's own sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await launch({ executablePath: await findBrowser(), acceptInsecureCerts: true, args });
  return { open: async () => watch(await browser.newPage()), close: () => browser.close() };
}

/** Collects in the page what only the page is told: the script runs before any other, in every document. */
const RECORD_VIOLATIONS = `window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.violations.push('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
});`;

async function watch(page: Page): Promise<WatchedPage> {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:')) requests.push(url);
  });
  page.on('requestfailed', (request) => complaints.push(`request: ${request.url()} ${request.failure()?.errorText ?? ''}`));
  page.on('pageerror', (error) => complaints.push(`thrown: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(`console: ${message.text()}`);
  });
  await page.evaluateOnNewDocument(RECORD_VIOLATIONS);
  return {
    page,
    requests,
    complaints: async () => [...complaints, ...((await page.evaluate('window.violations')) as string[])],
  };
}
