/** Hostile requests against a server: each case is a connection that its seed decides. */
import type { Http2Implementation } from '../../pkg/server/transports/http2-transport.ts';
import type { SecureServer } from '../support/server.ts';
import { createChoices } from './choices.ts';
import { exchangeBytes } from './exchange.ts';
import { chooseHttp1 } from './http1-requests.ts';
import { chooseHttp2 } from './http2-requests.ts';
import { haveEnded, type HostileResponse, readHttp1, readHttp2 } from './responses.ts';
import type { Field } from './words.ts';

/** In a Secret and a ConfigMap that only the admin may read. */
export const CANARY = 'canary-5f1c7e';
const CANARIES: readonly string[] = [CANARY, Buffer.from(CANARY).toString('base64')];

export interface HostileClient {
  readonly name: 'nobody' | 'few rights' | 'many rights';
  readonly token?: string;
}

export const CLIENTS: readonly HostileClient[] = [
  { name: 'nobody' },
  { name: 'few rights', token: 'few-rights-token' },
  { name: 'many rights', token: 'many-rights-token' },
];

export interface AttackOptions {
  readonly server: Pick<SecureServer, 'port' | 'ca'>;
  readonly http2: Http2Implementation;
  readonly seed: number;
  /** Requests; a case has some. */
  readonly requests: number;
}

export interface AttackReport {
  readonly requests: number;
  /** By code; 0: no answer, or none that is whole. */
  readonly codes: ReadonlyMap<number, number>;
  /** What must not happen, with the seed that makes it happen. */
  readonly findings: readonly string[];
}

const AT_ONCE = 12;
const LAST = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
const MAX_FINDINGS = 20;

export async function attack({ server, seed, requests: wanted }: AttackOptions): Promise<AttackReport> {
  const codes = new Map<number, number>();
  const findings: string[] = [];
  let requests = 0;
  let next = seed;
  const runCases = async () => {
    while (requests < wanted && findings.length < MAX_FINDINGS) {
      const caseSeed = next++;
      const outcome = await runCase(server, caseSeed);
      requests += outcome.requests;
      for (const { code } of outcome.responses) codes.set(code, (codes.get(code) ?? 0) + 1);
      findings.push(...outcome.findings.map((finding) => `seed ${caseSeed}: ${finding}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runCases));
  return { requests, codes, findings };
}

export interface CaseOutcome {
  readonly requests: number;
  readonly responses: readonly HostileResponse[];
  readonly findings: readonly string[];
}

export async function runCase({ port, ca }: AttackOptions['server'], seed: number): Promise<CaseOutcome> {
  const choices = createChoices(seed);
  const client = choices.of(CLIENTS);
  const credentials: readonly Field[] = client.token === undefined ? [] : [['Authorization', `Bearer ${client.token}`]];
  if (choices.rarely(2)) {
    const bytes = chooseHttp1(choices, credentials, LAST);
    const { received, isStuck } = await exchangeBytes({ port, ca, protocol: 'http/1.1' }, bytes, () => false);
    return judge(client, {
      received,
      isStuck,
      responses: readHttp1(received),
      requests: bytes.toString('latin1').split('HTTP/1').length - 1,
    });
  }
  const { bytes, streams } = chooseHttp2(choices, credentials);
  const { received, isStuck } = await exchangeBytes({ port, ca, protocol: 'h2' }, bytes, (so) => haveEnded(so, streams));
  return judge(client, { received, isStuck, responses: readHttp2(received), requests: streams.length });
}

export interface CaseEvidence {
  readonly received: Buffer;
  readonly isStuck: boolean;
  readonly responses: readonly HostileResponse[];
  readonly requests: number;
}

/** 501, 503 and 504 are answers to what is not implemented, not ready or late. */
const FAILURES: readonly number[] = [501, 503, 504];
/** Health, the version, and what HEAD is told. */
const PUBLIC = /^(?:|ok|\[\+\][^{}]*|\{[^{}]*"gitVersion"[^{}]*\}\n?)$/;

/** Exported for its test. */
export function judge({ name }: HostileClient, { received, isStuck, responses, requests }: CaseEvidence): CaseOutcome {
  const findings: string[] = [];
  if (isStuck) findings.push('neither an answer nor an end');
  for (const { code, body } of responses) {
    if (code >= 500 && !FAILURES.includes(code)) findings.push(`${code}: ${body.slice(0, 300)}`);
    const isTaken = code === 101 || (code >= 200 && code < 300);
    if (name === 'nobody' && isTaken && (code !== 200 || !PUBLIC.test(body)))
      findings.push(`nobody was answered ${code}: ${body.slice(0, 300)}`);
  }
  const text = received.toString('latin1');
  if (CANARIES.some((canary) => text.includes(canary))) findings.push(`${name}: read what it may not`);
  return { requests, responses, findings };
}
