/** `/livez`, `/readyz`, `/healthz`: named checks, alone or together, as text in Kubernetes' own form. */
import type { ServedPath } from '../handlers/path-table.ts';
import type { ApiResponse } from '../rims/request.ts';
import type { RequestContext } from '../shell/context.ts';
import { textResponse } from '../shell/write-status.ts';

export interface HealthCheck {
  readonly name: string;
  /** Resolves within its own deadline; never rejects. */
  readonly run: () => Promise<CheckResult> | CheckResult;
}

export interface CheckResult {
  /** One clause that says what is wrong; absent: healthy. */
  readonly failure?: string;
  /** One clause for the operator although all is well. */
  readonly note?: string;
}

export const ping: HealthCheck = { name: 'ping', run: () => ({}) };

/** `path` is `/readyz`; the checks below it are `/readyz/<name>`. */
export const createHealthPath = (path: string, checks: readonly HealthCheck[]): ServedPath => ({
  path,
  below: true,
  get: (context, { segments }) => {
    const [, name] = segments;
    return name === undefined ? runAll(path.slice(1), checks, context) : runOne(checks, name, path);
  },
});

async function runAll(title: string, checks: readonly HealthCheck[], { query }: RequestContext): Promise<ApiResponse> {
  const verbose = query.first('verbose') !== undefined;
  const excluded = new Set(query.all('exclude'));
  const results = await Promise.all(checks.map(async ({ name, run }) => ({ name, result: excluded.has(name) ? undefined : await run() })));
  const lines = results.map(({ name, result }) => lineOf(name, result));
  const unmatched = [...excluded].filter((name) => !checks.some((check) => check.name === name));
  if (unmatched.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unmatched.map((name) => JSON.stringify(name)).join(',')}`);
  const failed = results.some(({ result }) => result?.failure !== undefined);
  if (failed) return textResponse(500, [...lines, `${title} check failed`, ''].join('\n'));
  return textResponse(200, verbose ? [...lines, `${title} check passed`, ''].join('\n') : 'ok');
}

function lineOf(name: string, result: CheckResult | undefined): string {
  if (result === undefined) return `[+]${name} excluded: ok`;
  if (result.failure !== undefined) return `[-]${name} failed: ${result.failure}`;
  return result.note === undefined ? `[+]${name} ok` : `[+]${name} ok: ${result.note}`;
}

async function runOne(checks: readonly HealthCheck[], name: string, path: string): Promise<ApiResponse> {
  const check = checks.find((candidate) => candidate.name === name);
  if (check === undefined) return textResponse(404, '404 page not found\n');
  const { failure } = await check.run();
  return failure === undefined ? textResponse(200, 'ok') : textResponse(500, `${path}/${name} failed: ${failure}\n`);
}
