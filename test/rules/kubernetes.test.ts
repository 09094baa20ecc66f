/**
 * What Kubernetes 1.36 answered to objects of every kind, where it and this server are to agree: causes, warnings and
 * what is stored.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { openRules, type Rules, type Verdict } from '../support/rules.ts';

interface Vector {
  readonly name: string;
  readonly op: 'create' | 'update' | 'status';
  readonly kind: string;
  /** Without kind and apiVersion; a name is made up where there is none. */
  readonly object: JsonObject;
  /** What is updated. */
  readonly old?: JsonObject;
  /** `Required spec.schedule`, each once and sorted. */
  readonly expectedCauses: readonly string[];
  readonly expectedWarnings?: readonly string[];
  /** Without kind and apiVersion, and without the metadata that the server makes up. */
  readonly expectedObject?: JsonObject;
}

const FOLDER = path.join(import.meta.dirname, '../vectors/rules');
const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

async function run(rules: Rules, { op, kind, object, old }: Vector): Promise<Verdict> {
  if (old === undefined) return rules.create(kind, object);
  return rules.update(kind, old, object, op === 'status' ? 'status' : '');
}

function withoutMadeUp({ kind: _kind, apiVersion: _apiVersion, metadata, ...rest }: JsonObject): JsonObject {
  const {
    name: _name,
    uid: _uid,
    creationTimestamp: _created,
    resourceVersion: _revision,
    managedFields: _managed,
    ...kept
  } = metadata as JsonObject;
  return { ...rest, metadata: kept };
}

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const vectors = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as readonly Vector[];
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { causes, warnings, object } = await run(rules, vector);
    expect(sorted(causes)).toEqual(vector.expectedCauses);
    if (vector.expectedWarnings !== undefined) expect(sorted(warnings)).toEqual(sorted(vector.expectedWarnings));
    if (vector.expectedObject !== undefined) expect(withoutMadeUp(object ?? {})).toEqual(withoutMadeUp(vector.expectedObject));
  });
});
