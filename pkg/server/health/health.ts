/** `/livez`, `/readyz`, `/healthz`: named checks, one or all, as text in the format of Kubernetes. */
import { AUTHENTICATED_GROUP } from '../../authentication/groups.ts';
import type { Log } from '../../observability/logging.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { AuthenticatedContext, RequestContext } from '../filters/context.ts';
import { textResponse } from '../responses/status-response.ts';

export interface HealthCheck {
  readonly name: string;
  /** Resolves before its own deadline; never rejects. */
  readonly run: () => Promise<CheckResult> | CheckResult;
}

export interface CheckResult {
  /** The problem, in one clause; absent when healthy. */
  readonly failure?: string;
  /** A note for the operator, in one clause. */
  readonly note?: string;
}

export const ping: HealthCheck = { name: 'ping', run: () => ({}) };

export interface HealthPathOptions {
  /** Such as `/readyz`, with the checks at `/readyz/<name>`. */
  readonly path: string;
  readonly checks: readonly HealthCheck[];
  readonly log: Log;
}

/** The summary is public and never says why a check failed; a single check tells authenticated users. */
export const createHealthPath = ({ path, checks, log }: HealthPathOptions): ServedPath => ({
  path,
  below: true,
  get: (context, { segments }) => {
    const [title = '', name] = segments;
    return name === undefined ? runAll(title, checks, context, log) : runOne(checks, name, context);
  },
});

const WITHHELD = 'reason withheld';

async function runAll(title: string, checks: readonly HealthCheck[], { query }: RequestContext, log: Log): Promise<ApiResponse> {
  const verbose = query.first('verbose') !== undefined;
  const excluded = new Set(query.all('exclude'));
  const results = await Promise.all(checks.map(async ({ name, run }) => ({ name, result: excluded.has(name) ? undefined : await run() })));
  const lines = results.map(({ name, result }) => lineOf(name, result));
  const unmatched = [...excluded].filter((name) => !checks.some((check) => check.name === name)).sort();
  if (unmatched.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unmatched.map((name) => JSON.stringify(name)).join(',')}`);
  const failures = results.flatMap(({ name, result }) => (result?.failure === undefined ? [] : [`${name}: ${result.failure}`]));
  if (failures.length > 0) {
    log.debug('health check failed', { path: `/${title}`, failures });
    return textResponse(500, [...lines, `${title} check failed`, ''].join('\n'));
  }
  return textResponse(200, verbose ? [...lines, `${title} check passed`, ''].join('\n') : 'ok');
}

function lineOf(name: string, result: CheckResult | undefined): string {
  if (result === undefined) return `[+]${name} excluded: ok`;
  if (result.failure !== undefined) return `[-]${name} failed: ${WITHHELD}`;
  return result.note === undefined ? `[+]${name} ok` : `[+]${name} ok: ${result.note}`;
}

async function runOne(checks: readonly HealthCheck[], name: string, { user }: AuthenticatedContext): Promise<ApiResponse> {
  const check = checks.find((candidate) => candidate.name === name);
  if (check === undefined) return textResponse(404, '404 page not found\n');
  const { failure } = await check.run();
  if (failure === undefined) return textResponse(200, 'ok');
  const known = user.groups.includes(AUTHENTICATED_GROUP);
  return textResponse(500, `internal server error: ${known ? failure : WITHHELD}\n`);
}
