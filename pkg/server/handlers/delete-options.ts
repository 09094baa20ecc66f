/** What a delete asks for: from the body when there is one, and then the query is ignored; else from the query. */
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { DeleteRequest, Preconditions } from '../../registry/object-store.ts';
import { decodeBody } from '../../schema/protobuf/decode-body.ts';
import type { TypeMeta } from '../../schema/protobuf/envelope.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import { booleanOf, integerOf } from '../shell/query.ts';
import type { Query } from '../shell/query.ts';
import { invalidValue, notSupported, throwOptionCauses } from './option-checks.ts';
import type { RequestBody } from './read-object.ts';
import { dryRunCauses } from './write-options.ts';

export type DeleteOptions = Omit<DeleteRequest, 'fieldManager' | 'signal'>;

type PropagationPolicy = NonNullable<DeleteRequest['propagationPolicy']>;
const POLICIES: readonly PropagationPolicy[] = ['Background', 'Foreground', 'Orphan'];

interface SentOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: Preconditions;
}

export interface DeleteOptionsReader {
  /** Whether DeleteOptions of this apiVersion are read, besides those of `v1`. */
  readonly isServedVersion: (apiVersion: string) => boolean;
  /** Of DeleteOptions. */
  readonly message: MessageCodec;
}

export function parseDeleteOptions(body: RequestBody, query: Query, reader: DeleteOptionsReader): DeleteOptions {
  const sent = body.bytes.byteLength === 0 ? fromQuery(query) : fromBody(body, reader);
  const { dryRun, orphanDependents, propagationPolicy, preconditions } = sent;
  const policy = POLICIES.find((word) => word === propagationPolicy);
  throwOptionCauses('DeleteOptions', causesOf(sent));
  return {
    dryRun: dryRun.length > 0,
    preconditions,
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
  };
}

function causesOf({ dryRun, gracePeriodSeconds, orphanDependents, propagationPolicy }: SentOptions): StatusCause[] {
  const causes = dryRunCauses(dryRun);
  if (propagationPolicy !== undefined) {
    if (!POLICIES.some((word) => word === propagationPolicy)) causes.push(notSupported('propagationPolicy', propagationPolicy, POLICIES));
    if (orphanDependents !== undefined) {
      causes.push(invalidValue('propagationPolicy', propagationPolicy, 'orphanDependents and propagationPolicy cannot be both set'));
    }
  }
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds < 0) {
    causes.push(invalidValue('gracePeriodSeconds', String(gracePeriodSeconds), 'must be greater than or equal to 0'));
  }
  return causes;
}

const fromQuery = (query: Query): SentOptions => ({
  dryRun: query.all('dryRun'),
  gracePeriodSeconds: integerOf(query, 'gracePeriodSeconds'),
  orphanDependents: booleanOf(query, 'orphanDependents'),
  propagationPolicy: query.first('propagationPolicy') === '' ? undefined : query.first('propagationPolicy'),
  preconditions: {},
});

const ANY_JSON = { form: 'any', zero: null } as const;

/** Of DeleteOptions, as far as that is said. */
function decode({ form, bytes }: RequestBody, { isServedVersion, message }: DeleteOptionsReader): JsonObject {
  const assertType = ({ apiVersion, kind }: TypeMeta) => {
    if (kind !== '' && kind !== 'DeleteOptions')
      throw badRequest(`kind: the body of a delete is a DeleteOptions, not a ${JSON.stringify(kind)}`);
    if (apiVersion !== '' && apiVersion !== 'v1' && !isServedVersion(apiVersion)) {
      throw badRequest(`apiVersion: no kind DeleteOptions is registered for ${JSON.stringify(apiVersion)}`);
    }
  };
  if (form === 'protobuf') return decodeBody(bytes, message, assertType).object;
  const { value } = parseJson(bytes, ANY_JSON);
  if (!isJsonObject(value)) throw badRequest('the body must be a DeleteOptions object');
  const { apiVersion = '', kind = '' } = strings(value, ['apiVersion', 'kind']);
  assertType({ apiVersion, kind });
  return value;
}

function fromBody(body: RequestBody, reader: DeleteOptionsReader): SentOptions {
  const value = decode(body, reader);
  const { preconditions } = value;
  if (!isAbsent(preconditions) && !isJsonObject(preconditions)) throw wrongType('preconditions', 'an object');
  const { uid, resourceVersion } = isAbsent(preconditions) ? {} : strings(preconditions, ['uid', 'resourceVersion'], 'preconditions.');
  const { propagationPolicy } = strings(value, ['propagationPolicy']);
  return {
    dryRun: stringList(value['dryRun']),
    gracePeriodSeconds: integer(value['gracePeriodSeconds']),
    orphanDependents: boolean(value['orphanDependents']),
    propagationPolicy,
    preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  };
}

type Sent = JsonValue | undefined;
const isAbsent = (value: Sent): value is null | undefined => value === undefined || value === null;
const wrongType = (field: string, expected: string) => badRequest(`DeleteOptions: ${field}: must be ${expected}`);

function strings(object: JsonObject, names: readonly string[], prefix = ''): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  for (const name of names) {
    const value = object[name];
    if (isAbsent(value)) continue;
    if (typeof value !== 'string') throw wrongType(`${prefix}${name}`, 'a string');
    found[name] = value;
  }
  return found;
}

function stringList(value: Sent): readonly string[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value) || !value.every((part): part is string => typeof part === 'string'))
    throw wrongType('dryRun', 'a list of strings');
  return value;
}

function integer(value: Sent): number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('gracePeriodSeconds', 'an integer');
  return value;
}

function boolean(value: Sent): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'boolean') throw wrongType('orphanDependents', 'a boolean');
  return value;
}
