import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mutatedBytes } from '../../../test/support/mutated-bytes.ts';
import { propertyRuns, propertyTimeoutMs } from '../../../test/support/property-runs.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { writeEnvelope } from '../../schema/protobuf/envelope.ts';
import { parseQuery } from '../filters/query.ts';
import { createDeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import type { RequestBody } from './resource-call.ts';

const reader = createDeleteOptionsReader();
const samples: readonly JsonObject[] = [
  { gracePeriodSeconds: 30, propagationPolicy: 'Foreground', dryRun: ['All'] },
  { preconditions: { uid: 'b7c1', resourceVersion: '42' }, orphanDependents: false },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
];
const type = { kind: 'DeleteOptions', apiVersion: 'batch/v1' };
const inProtobuf = samples.map((options) => writeEnvelope(type, reader.message.encode(options)));
const inJson = samples.map((options) => Buffer.from(JSON.stringify({ ...type, ...options })));

const POLICIES: readonly (string | undefined)[] = [undefined, 'Background', 'Foreground', 'Orphan'];

/** The error or the result; anything else is a failure. */
function outcomeOf(body: RequestBody): 'taken' | 'refused' {
  try {
    const { propagationPolicy, preconditions, dryRun } = parseDeleteOptions(body, parseQuery(''), reader);
    const texts = [preconditions.uid ?? '', preconditions.resourceVersion ?? ''];
    if (!POLICIES.includes(propagationPolicy) || typeof dryRun !== 'boolean' || !texts.every((text) => typeof text === 'string'))
      throw new Error('options that are none');
    return 'taken';
  } catch (error) {
    if (error instanceof StatusError && (error.code === 400 || error.code === 422 || error.code === 413)) return 'refused';
    throw error;
  }
}

it.each([
  ['protobuf', inProtobuf],
  ['json', inJson],
] as const)(
  'DeleteOptions in %s that are wrong in random places are refused, or read as options',
  (encoding, bodies) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(mutatedBytes(bodies), (bytes) => {
        if (bytes.byteLength > 0) seen.add(outcomeOf({ encoding, bytes }));
      }),
      propertyRuns(2000),
    );
    expect(seen).toEqual(new Set(['taken', 'refused']));
  },
  propertyTimeoutMs,
);
