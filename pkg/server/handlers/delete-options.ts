/** Options of a delete. A body replaces the query entirely. */
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { JsonShape } from '../../apimachinery/json/json-shape.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { invalidValue, notSupported } from '../../apimachinery/status/causes.ts';
import { badRequest, causesText, type StatusCause } from '../../apimachinery/status/status-error.ts';
import { createFeatures } from '../../apimachinery/features/features.ts';
import { DeleteOptionsShape } from '../../apis/meta/v1/shapes.gen.ts';
import { UNREADABLE_ONLY } from '../../registry/delete-unreadable.ts';
import type { PropagationPolicy } from '../../apis/kind.ts';
import type { DeleteRequest, Preconditions } from '../../registry/object-store.ts';
import { compileShape } from '../../schema/decode.ts';
import { decodeBody } from '../../schema/protobuf/decode-body.ts';
import type { EnvelopeType } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec, type MessageCodec } from '../../schema/protobuf/message-codec.ts';
import { booleanOf, integerOf, type Query } from '../filters/query.ts';
import { throwOptionCauses } from './option-checks.ts';
import type { RequestBody } from './resource-call.ts';
import { dryRunCauses } from './write-options.ts';

export interface DeleteOptions extends Omit<DeleteRequest, 'fieldManager' | 'signal'> {
  /** Deletes only an object whose stored value cannot be read. */
  readonly unreadable?: true;
}

const POLICIES: readonly PropagationPolicy[] = ['Foreground', 'Background', 'Orphan'];

interface SentOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: Preconditions;
  /** Even empty ones contradict some options. */
  readonly hasPreconditions: boolean;
  readonly unreadable: boolean;
}

/** DeleteOptions in both encodings. */
export interface DeleteOptionsReader {
  readonly json: JsonShape;
  readonly message: MessageCodec;
}

export const createDeleteOptionsReader = (): DeleteOptionsReader => ({
  json: compileShape(DeleteOptionsShape),
  message: createMessageCodec(DeleteOptionsShape),
});

/** `features` absent: the defaults. */
export function parseDeleteOptions(
  body: RequestBody,
  query: Query,
  reader: DeleteOptionsReader,
  features = createFeatures(),
): DeleteOptions {
  const sent = body.bytes.byteLength === 0 ? fromQuery(query) : fromBody(body, reader);
  const { dryRun, orphanDependents, propagationPolicy, preconditions } = sent;
  const unreadable = sent.unreadable && features.isEnabled('AllowUnsafeMalformedObjectDeletion');
  const policy = POLICIES.find((word) => word === propagationPolicy);
  throwOptionCauses('DeleteOptions', [...causesOf(sent), ...(unreadable ? causesOfUnreadable(sent) : [])]);
  return {
    ...(unreadable ? { unreadable } : {}),
    dryRun: dryRun.length > 0,
    preconditions,
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
  };
}

function causesOf({ dryRun, gracePeriodSeconds, orphanDependents, propagationPolicy }: SentOptions): StatusCause[] {
  const causes: StatusCause[] = [];
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) {
      causes.push(invalidValue('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'));
    }
    if (!POLICIES.some((word) => word === propagationPolicy)) {
      causes.push(notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']));
    }
  }
  causes.push(...dryRunCauses(dryRun));
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds < 0) {
    causes.push(invalidValue('gracePeriodSeconds', gracePeriodSeconds, 'must be greater than or equal to 0'));
  }
  return causes;
}

/** No other option can be checked against an unreadable object. */
function causesOfUnreadable(sent: SentOptions): StatusCause[] {
  const others = {
    dryRun: sent.dryRun.length > 0,
    propagationPolicy: sent.propagationPolicy !== undefined,
    orphanDependents: sent.orphanDependents !== undefined,
    gracePeriodSeconds: sent.gracePeriodSeconds !== undefined,
    preconditions: sent.hasPreconditions,
  };
  return Object.entries(others).flatMap(([name, isSet]) =>
    isSet ? [invalidValue(UNREADABLE_ONLY, true, `cannot be set together with .${name}`)] : [],
  );
}

function fromQuery(query: Query): SentOptions {
  const preconditions = queryPreconditions(query);
  return {
    dryRun: query.all('dryRun'),
    gracePeriodSeconds: integerOf(query, 'gracePeriodSeconds'),
    orphanDependents: booleanOf(query, 'orphanDependents'),
    propagationPolicy: query.first('propagationPolicy'),
    preconditions,
    hasPreconditions: Object.keys(preconditions).length > 0,
    unreadable: booleanOf(query, UNREADABLE_ONLY) === true,
  };
}

/** Undocumented but supported by every server: a delete with preconditions must not affect another state. */
function queryPreconditions(query: Query): Preconditions {
  const [uid = '', resourceVersion = ''] = [query.first('uid'), query.first('resourceVersion')];
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

/** Not a group and version, such as `apps/` and `a/b/c`. */
const NO_VERSION = /\/$|\/.*\//;

/** DeleteOptions exist in every group with the same fields. Like Kubernetes, this accepts unknown groups too. */
function assertType({ apiVersion, kind }: EnvelopeType): void {
  if (kind !== '' && kind !== 'DeleteOptions')
    throw badRequest(`kind: the body of a delete is a DeleteOptions, not a ${JSON.stringify(kind)}`);
  if (NO_VERSION.test(apiVersion)) throw badRequest(`apiVersion: ${JSON.stringify(apiVersion)} is not a group and version`);
}

/** Checks kind and apiVersion where they are set. */
function decode({ encoding, bytes }: RequestBody, { json, message }: DeleteOptionsReader): JsonObject {
  if (encoding === 'protobuf') return decodeBody(bytes, message, assertType).object;
  const { value, causes } = parseJson(bytes, json);
  if (value === null) return {};
  if (!isJsonObject(value)) throw badRequest('the body must be a DeleteOptions object');
  if (causes.length > 0) throw badRequest(`DeleteOptions: ${causesText(causes)}`, causes);
  const { apiVersion = '', kind = '' } = strings(value, ['apiVersion', 'kind']);
  assertType({ apiVersion, kind });
  return value;
}

function fromBody(body: RequestBody, reader: DeleteOptionsReader): SentOptions {
  const value = decode(body, reader);
  const { preconditions } = value;
  if (preconditions !== undefined && !isJsonObject(preconditions)) throw wrongType('preconditions', 'an object');
  const { uid, resourceVersion } = preconditions === undefined ? {} : strings(preconditions, ['uid', 'resourceVersion'], 'preconditions.');
  const { propagationPolicy } = strings(value, ['propagationPolicy']);
  return {
    dryRun: stringList(value['dryRun']),
    gracePeriodSeconds: integer(value['gracePeriodSeconds']),
    orphanDependents: boolean(value, 'orphanDependents'),
    unreadable: boolean(value, UNREADABLE_ONLY) === true,
    propagationPolicy,
    hasPreconditions: preconditions !== undefined,
    preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  };
}

type Sent = JsonValue | undefined;
const wrongType = (field: string, expected: string) => badRequest(`DeleteOptions: ${field}: must be ${expected}`);

function strings(object: JsonObject, names: readonly string[], prefix = ''): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  for (const name of names) {
    const value = object[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw wrongType(`${prefix}${name}`, 'a string');
    found[name] = value;
  }
  return found;
}

function stringList(value: Sent): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((part): part is string => typeof part === 'string'))
    throw wrongType('dryRun', 'a list of strings');
  return value;
}

function integer(value: Sent): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('gracePeriodSeconds', 'an integer');
  return value;
}

function boolean(object: JsonObject, name: string): boolean | undefined {
  const value = object[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean');
  return value;
}
