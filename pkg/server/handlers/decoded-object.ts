/** Checks that a body or a patched object is of the kind of the path. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { causesText, type StatusCause } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ObjectMeta, ResourceDefinition } from '../../apis/kind.ts';
import type { DecodedObject } from '../../schema/decode.ts';
import type { Validator } from '../../schema/validator.ts';

type TypeName = Pick<ResourceDefinition, 'kind' | 'apiVersion'>;

/** Why the object is of another kind; undefined when it matches or does not say. */
export function otherKind({ kind, apiVersion }: JsonObject, definition: TypeName): string | undefined {
  if (kind !== undefined && kind !== '' && kind !== definition.kind) {
    return `kind: ${quote(kind)} does not match the path, which is of the kind "${definition.kind}"`;
  }
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== definition.apiVersion) {
    return `apiVersion: ${quote(apiVersion)} does not match the path, which is of "${definition.apiVersion}"`;
  }
  return undefined;
}

const quote = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : 'the value');

/** Type errors. A cause from the parser replaces one of the validator: it quotes the number as sent. */
export function typeCauses({ typeErrors }: Validator, { object, causes }: DecodedObject): readonly StatusCause[] {
  return [...causes, ...typeErrors(object).filter(({ field }) => !causes.some((cause) => cause.field === field))];
}

/** One clause per cause. */
export const typeCausesText = (causes: readonly StatusCause[]): string => causes.map((cause) => causesText([cause])).join(', ');

/** Sets the kind and apiVersion of the path. An object that has them stays the same: its codec caches by identity. */
export const asKind = (object: JsonObject, type: TypeName): KubernetesObject =>
  isOfKind(object, type) ? object : { ...object, ...type, metadata: metadataOf(object) };

const isOfKind = (object: JsonObject, { kind, apiVersion }: TypeName): object is KubernetesObject =>
  object['kind'] === kind && object['apiVersion'] === apiVersion && isMetadata(object['metadata']);

/** Types of the members were checked before. */
const metadataOf = ({ metadata }: JsonObject): ObjectMeta => (isMetadata(metadata) ? metadata : {});
const isMetadata = (value: JsonObject[string]): value is ObjectMeta => value !== undefined && isJsonObject(value);
