/** The whole API in-process over a store in memory: a request goes in as an object, and its answer comes out as one. */
import { NO_TOKENS } from './requester.ts';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { YamlReader } from '../../pkg/apimachinery/yaml/yaml-reader.ts';
import { insecurePortAuthenticator } from '../../pkg/authentication/insecure-port.ts';
import { createReviews } from '../../pkg/apis/reviews.gen.ts';
import { NO_RULES, type Authorizer, type RuleResolver } from '../../pkg/authorization/authorizer.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import { createMetrics } from '../../pkg/observability/metrics.ts';
import { MemoryBackend } from '../registry/memory-backend.ts';
import { openTestRegistry } from '../registry/test-registry.ts';
import type { ObjectStore } from '../../pkg/registry/object-store.ts';
import { createApi } from '../../pkg/server/create-api.ts';
import { OpenRequests } from '../../pkg/server/filters/drain.ts';

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}
/** Of an object, or of a Status. */
export interface Body {
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: unknown;
  readonly data: unknown;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly kind?: string; readonly name?: string; readonly causes?: readonly Cause[] };
}
export interface InProcessAnswer {
  readonly code: number;
  readonly text: string;
  readonly body: Body;
  readonly warnings: readonly string[];
}

export interface InProcessApi {
  /** The body goes out as it is when it is text, else as JSON. */
  send(
    method: string,
    target: string,
    body: unknown,
    contentType?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<InProcessAnswer>;
  /** The text of `/metrics`, rendered anew at each call. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

export interface InProcessOptions {
  /** What takes the place of a kind's store: for what happens between two calls of a handler. */
  readonly store?: (own: ObjectStore) => ObjectStore;
}

/**
 * All kinds and reviews, with the group suffix `example.io`. The user agent is `tester`. An authorizer that names no
 * rules has none.
 */
export async function openInProcessApi(
  authorizer: Authorizer & Partial<RuleResolver>,
  { store = (own) => own }: InProcessOptions = {},
): Promise<InProcessApi> {
  const backend = new MemoryBackend();
  const yamlReader = new YamlReader();
  let readAt = 0;
  const metrics = createMetrics({ version: 'v1.36.0', now: () => (readAt += 1000), processMetrics: false });
  const registry = await openTestRegistry(backend, { metrics });
  const { respond } = createApi({
    served: registry.served.map((served) => ({ ...served, store: store(served.store) })),
    reviews: createReviews({ groupSuffix: 'example.io' }),
    backend,
    storeName: 'store',
    notReady: () => registry.notReady,
    writeGates: [{ name: 'writes', notReady: () => undefined, passes: () => true }],
    openRequests: new OpenRequests(),
    authenticator: insecurePortAuthenticator,
    authorizer: { rulesFor: () => NO_RULES, ...authorizer },
    tokens: NO_TOKENS,
    version: { gitVersion: 'v1.36.0', runtime: 'node', platform: 'test' },
    openApi: { folder: '/nowhere', groupSuffix: 'example.io' },
    yamlReader,
    log: silentLog,
    metrics,
    clock: systemClock,
    newUid: randomUUID,
    random: () => 0,
    requestTimeoutMs: 60_000,
    minWatchMs: 60_000,
  });
  return {
    send: async (method, target, body, contentType, headers = {}) => {
      const [path = '', query = ''] = target.split('?');
      const answer = await respond({
        method,
        path,
        query,
        headers: { host: 'localhost', 'user-agent': 'tester/1.0 (linux)', ...(contentType && { 'content-type': contentType }), ...headers },
        protocol: 'http/1.1',
        secure: false,
        remoteAddress: '127.0.0.1',
        readBody: () => Promise.resolve(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))),
        onDisconnect: () => undefined,
      });
      if (!('body' in answer)) throw new Error('the answer of a write is no stream');
      const text = Buffer.concat(answer.body).toString();
      return {
        code: answer.code,
        text,
        body: parseBody(`${method} ${target}: ${answer.code}`, text),
        warnings: [answer.headers['Warning'] ?? []].flat(),
      };
    },
    metrics: () => metrics.expose(),
    close: async () => {
      yamlReader.close();
      await registry.close();
      await backend.close();
    },
  };
}

/** Of a path that nobody serves the answer is plain text. */
function parseBody(answer: string, text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw new Error(`${answer}, which is not JSON: ${text}`, { cause });
  }
}

/** `409 Conflict .metadata.labels.a:FieldManagerConflict` */
export const refusalOf = ({ code, body }: InProcessAnswer): string =>
  [code, body.reason, ...(body.details?.causes ?? []).map(({ field = '', reason }) => `${field}:${reason}`)].join(' ');

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** One label, set by each kind of patch that is made of the object. */
export const LABELLED: readonly (readonly [string, unknown])[] = [
  [JSON_PATCH, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]],
  [MERGE, { metadata: { labels: { a: 'b' } } }],
  [STRATEGIC, { metadata: { labels: { a: 'b' } } }],
];

/** A valid object without its name. */
export const CRON_JOB = {
  spec: {
    schedule: '0 * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/work:1' }] } } } },
  },
};

/** The cron jobs of one namespace. `api` is asked for at each call: it opens after the tests are told. */
export function cronJobsIn(namespace: string, api: () => InProcessApi) {
  const collection = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
  const item = (name: string, query = '') => `${collection}/${name}${query}`;
  return {
    item,
    patch: (name: string, type: string, body: unknown, query = '') => api().send('PATCH', item(name, query), body, type),
    read: async (name: string): Promise<Body> => (await api().send('GET', item(name), '')).body,
    /** Throws what was answered when it is not created. */
    create: async (name: string, metadata: object = {}): Promise<Body> => {
      const { code, text, body } = await api().send(
        'POST',
        collection,
        { ...CRON_JOB, metadata: { name, ...metadata } },
        'application/json',
      );
      if (code !== 201) throw new Error(`the cron job was not created: ${code} ${text}`);
      return body;
    },
  };
}
