/**
 * What the API server of Kubernetes 1.36.1 answered to sequences of requests, each on an object of its own: codes,
 * reasons, causes, warnings, what is stored then, and whose the fields are. Only what both servers are to answer alike
 * is here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { kindNamed } from '../registry/test-registry.ts';
import { type Body, type InProcessAnswer, type InProcessApi, openInProcessApi } from '../support/in-process-api.ts';
import { collectionPath } from '../support/kinds.ts';

interface Step {
  readonly method: string;
  readonly subresource?: string;
  readonly query?: string;
  /** Behind `application/`. Default: `json`. */
  readonly type?: string;
  readonly body?: unknown;
  /** Instead of `body`: as it is sent. */
  readonly text?: string;
  readonly code: number;
  readonly reason?: string;
  /** `FieldValueInvalid spec.schedule`, each once and sorted. */
  readonly causes?: readonly string[];
  readonly warnings?: readonly string[];
  /** Whether the resourceVersion is another than in the answer before. Absent: it has none. */
  readonly written?: boolean;
  /** The members of the object that are others than in the answer before; `(absent)`: no longer there. */
  readonly object?: Readonly<Record<string, unknown>>;
}
interface Sequence {
  readonly name: string;
  /** Null: a request that is left out, because the servers refuse it differently. It only counts. */
  readonly steps: readonly (Step | null)[];
}

const FOLDER = path.join(import.meta.dirname, '../vectors/answers');
const GROUPS_OF_KUBERNETES = /\b(storage|events|internal\.apiserver)\.k8s\.io\b/g;
const NAMESPACE = 'default';

/** What a sequence has seen so far, by the number of the answer; a Status repeats what came before it. */
interface Seen {
  readonly versions: string[];
  readonly uids: string[];
}

let api: InProcessApi;
beforeAll(async () => {
  api = await openInProcessApi({ authorize: () => ({ decision: 'allow' }) });
});
afterAll(() => api.close());

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const text = readFileSync(path.join(FOLDER, file), 'utf8').replaceAll(GROUPS_OF_KUBERNETES, '$1.example.io');
  const sequences = JSON.parse(text) as readonly Sequence[];
  const collection = collectionOf(path.basename(file, '.json'));

  it.each(sequences.map((sequence, index) => [sequence.name, index, sequence] as const))('%s', async (_, index, sequence) => {
    const name = `answers-${index}`;
    const { steps } = JSON.parse(JSON.stringify(sequence).replaceAll('{{name}}', name)) as Sequence;
    const seen: Seen = { versions: [], uids: [] };
    let object: Readonly<Record<string, unknown>> = {};
    for (const [at, step] of steps.entries()) {
      const answer = step === null ? undefined : await send(collection, name, step, seen);
      const stored = answer === undefined || answer.body.kind === 'Status' ? undefined : answer.body;
      const before = seen.versions.at(-1);
      if (step !== null && answer !== undefined) {
        object = applied(object, step.object ?? {});
        expect({ at, ...told(answer, before) }).toEqual({ at, ...expected(step, stored === undefined ? undefined : object) });
      }
      seen.versions.push(textOf(stored?.metadata['resourceVersion']) ?? before ?? '');
      seen.uids.push(textOf(stored?.metadata['uid']) ?? seen.uids.at(-1) ?? '');
    }
  });
});

function collectionOf(kind: string): string {
  return collectionPath(kindNamed(kind).definition, NAMESPACE);
}

function send(collection: string, name: string, step: Step, seen: Seen): Promise<InProcessAnswer> {
  const fill = (template: string) =>
    template
      .replaceAll('{{last}}', seen.versions.at(-1) ?? '')
      .replaceAll(/\{\{rv:(\d+)\}\}/g, (_, at) => seen.versions[Number(at)] ?? '')
      .replaceAll(/\{\{uid:(\d+)\}\}/g, (_, at) => seen.uids[Number(at)] ?? '');
  const { method, subresource, query, type = 'json', body, text = body === undefined ? '' : JSON.stringify(body) } = step;
  const own = collection.endsWith('/storageversions') ? `wire.${name}` : name;
  const target = `${collection}${method === 'POST' ? '' : `/${own}`}${subresource === undefined ? '' : `/${subresource}`}`;
  return api.send(method, query === undefined ? target : `${target}?${fill(query)}`, fill(text), `application/${type}`);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function applied(object: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members = Object.entries({ ...object, ...changes }).filter(([, value]) => value !== '(absent)');
  return Object.fromEntries(members);
}

const expected = ({ code, reason, causes = [], warnings = [], written }: Step, object: unknown) => ({
  code,
  reason,
  causes,
  warnings,
  written,
  object,
});

function told({ code, body, warnings }: InProcessAnswer, before: string | undefined): ReturnType<typeof expected> {
  const causes = (body.details?.causes ?? []).map(({ reason, field = '' }) => `${reason} ${field}`);
  const refused = body.kind === 'Status';
  const version = body.metadata['resourceVersion'];
  return {
    code,
    reason: refused ? body.reason : undefined,
    causes: [...new Set(causes)].sort(),
    warnings: [...warnings].sort(),
    written: refused || version === undefined ? undefined : version !== before,
    object: refused ? undefined : withoutMadeUp(body),
  };
}

/**
 * What the server makes up is left out, but that there is a time; the uid, where it stands elsewhere, is `{{uid}}`.
 * Owners are in the order of their names: theirs depends on the clock.
 */
function withoutMadeUp({ kind: _kind, metadata, ...rest }: Body): Readonly<Record<string, unknown>> {
  const { name: _name, namespace: _namespace, uid, resourceVersion: _version, creationTimestamp: _created, ...others } = metadata;
  const { deletionTimestamp, managedFields = [], ...kept } = others;
  const entries = (managedFields as readonly JsonObject[]).map(({ time, fieldsType: _type, ...entry }) => ({
    ...entry,
    timed: time !== undefined,
  }));
  const seen = {
    ...Object.fromEntries(Object.entries(rest).filter(([member]) => member !== 'apiVersion')),
    metadata: deletionTimestamp === undefined ? kept : { ...kept, deleting: true },
    managedFields: entries.sort((a, b) => (ownerOf(a) < ownerOf(b) ? -1 : 1)),
  };
  return typeof uid === 'string' ? (JSON.parse(JSON.stringify(seen).replaceAll(uid, '{{uid}}')) as typeof seen) : seen;
}

const ownerOf = ({ manager, operation, apiVersion, subresource }: JsonObject): string =>
  JSON.stringify([manager, operation, apiVersion, subresource ?? '']);
