/**
 * What Kubernetes' own library made of sequences of writes by several managers: objects, managedFields and conflicts.
 * The sequences were generated, so their objects have the right types and are not valid; nothing is defaulted. A
 * manager's time says in which step it was set.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../pkg/apimachinery/json/json-value.ts';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { isJsonObject, writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { StatusError } from '../../pkg/apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import type { Kind, KubernetesObject } from '../../pkg/apis/kind.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { createFieldManager, type Applier } from '../../pkg/fieldmanager/field-manager.ts';
import { applyMergePatch } from '../../pkg/fieldmanager/merge-patch/apply-merge-patch.ts';
import { createObjectCodec, type ObjectCodec } from '../../pkg/schema/object-codec.ts';

interface Step {
  readonly op: 'apply' | 'update' | 'patch';
  readonly manager: string;
  readonly force?: boolean;
  readonly subresource?: 'status';
  /** A configuration, an object, or a merge patch. */
  readonly object: JsonObject;
  /** After what the path keeps was put back. */
  readonly expectedObject?: JsonObject;
  /** `.spec.schedule conflict with "alice"`, sorted. */
  readonly expectedConflicts?: readonly string[];
  readonly expectError?: boolean;
}

interface Sequence {
  readonly name: string;
  readonly kind: string;
  readonly steps: readonly Step[];
}

const FIRST_STEP_MS = Date.UTC(2001, 0, 1, 0, 0, 1);
const UID = '11111111-1111-1111-1111-111111111111';
const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });
const file = readFileSync(new URL('../vectors/ownership/sequences.json', import.meta.url));
const sequences = parseJson(file).value as unknown as readonly Sequence[];

describe('sequences of writes end as in Kubernetes', () => {
  it.each(sequences)('$name', ({ kind: name, steps }) => {
    const kind = kinds.find(({ definition }) => definition.kind === name);
    if (kind === undefined) throw new Error(`There is no kind ${name}.`);
    const server = createServer(kind);
    for (const step of steps) {
      const { expectedObject, expectedConflicts } = step;
      if (expectedObject !== undefined) expect(server.write(step)).toEqual(expectedObject);
      else expect(failureOf(() => server.write(step))).toEqual(expectedConflicts ?? expect.anything());
    }
  });
});

/** As much of a server as there must be around a field manager. */
function createServer(kind: Kind): { write(step: Step): unknown } {
  // The library was called without a store, through which empty lists become absent.
  const codec = createObjectCodec(kind.shape, { keepsEmptyLists: true });
  const fieldManager = createFieldManager(kind);
  let stored: Buffer | undefined;
  let count = 0;
  return {
    write(step) {
      const writer = { subresource: '', force: false, ...step, nowMs: FIRST_STEP_MS + count++ * 1000 } as const;
      const live = stored === undefined ? undefined : (codec.parseStored(stored) as KubernetesObject);
      const next = writtenBy(step, writer);
      stored = codec.encode(keptByPath(kind, live, withUid(next), writer.subresource));
      return parseJson(stored).value;

      function writtenBy({ op, object }: Step, by: Applier): KubernetesObject {
        if (live === undefined && by.subresource === 'status') throw new StatusError('NotFound', 'nothing has a status yet');
        if (op === 'apply') return decode(codec, fieldManager.apply(live, object, by));
        const { apiVersion, kind: name } = kind.definition;
        const body = op === 'update' || stored === undefined ? object : applyMergePatch(parsed(stored), object);
        return fieldManager.update(live, decode(codec, { ...body, apiVersion, kind: name }), by);
      }
    },
  };
}

const decode = (codec: ObjectCodec, value: JsonObject): KubernetesObject =>
  codec.decodeBody(Buffer.from(writeJson(value))).object as KubernetesObject;

function parsed(bytes: Buffer): JsonObject {
  const { value } = parseJson(bytes);
  if (!isJsonObject(value)) throw new Error('What is stored is an object.');
  return value;
}

const withUid = (object: KubernetesObject): KubernetesObject => ({ ...object, metadata: { uid: UID, ...object.metadata } });

/** What the strategy of the path does not let through. */
function keptByPath({ strategy }: Kind, live: KubernetesObject | undefined, next: KubernetesObject, subresource: string): KubernetesObject {
  const { status } = strategy;
  if (live === undefined) return status?.resetOnCreate === true ? { ...next, status: undefined } : next;
  if (subresource === '') return status?.resetOnUpdate === true ? { ...next, status: live['status'] } : next;
  if (status === undefined || status.resetOnStatusUpdate === 'spec') return { ...next, spec: live['spec'] };
  const { managedFields } = next.metadata;
  return { ...next, spec: live['spec'], metadata: { ...live.metadata, ...(managedFields === undefined ? {} : { managedFields }) } };
}

function failureOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return (error.details?.causes ?? []).map(({ field = '', message }) => `${field} ${message}`).sort();
  }
  throw new Error('This step is expected to fail.');
}
