/** The body of a create or a replace, as an object of the kind that the path names. */
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ObjectMeta, ResourceDefinition } from '../../apis/kind.ts';
import { findingText, strictDecodingErrorText } from '../../schema/decode.ts';
import type { DecodedObject } from '../../schema/decode.ts';
import { bodyMediaType } from '../negotiation/content-type.ts';
import type { ResourceCall } from './resource-call.ts';
import type { FieldValidation } from './write-options.ts';

/** As JSON, whichever form it was sent in. Refuses what is neither JSON nor YAML before anything is read of it. */
export async function readBody(call: ResourceCall): Promise<Buffer> {
  const { context } = call;
  const mediaType = bodyMediaType(context.request.headers['content-type']);
  return asJson(call, mediaType, await context.request.readBody(context.maxBodyBytes));
}

/** Empty when there is none; its type counts only when there is one. */
export async function readOptionalBody(call: ResourceCall): Promise<Buffer> {
  const { context } = call;
  const body = await context.request.readBody(context.maxBodyBytes);
  if (body.byteLength === 0) return body;
  return asJson(call, bodyMediaType(context.request.headers['content-type']), body);
}

function asJson({ context, resource }: ResourceCall, mediaType: ReturnType<typeof bodyMediaType>, body: Buffer): Buffer | Promise<Buffer> {
  if (mediaType === 'application/json' || body.byteLength === 0) return body;
  return resource.yamlReader.toJson(body, context.signal);
}

export function parseObject({ context, resource }: ResourceCall, body: Buffer, fieldValidation: FieldValidation): KubernetesObject {
  const decoded = resource.codec.decodeBody(body);
  const { definition } = resource.kind;
  requireKind(decoded.object, definition);
  refuseWrongTypes(decoded, resource.validator.typeErrors(decoded.object), definition);
  const { findings } = decoded;
  if (fieldValidation === 'Strict' && findings.length > 0) throw badRequest(cannotBeHandled(definition, strictDecodingErrorText(findings)));
  if (fieldValidation === 'Warn') for (const finding of findings) context.warn(findingText(finding));
  return { ...decoded.object, kind: definition.kind, apiVersion: definition.apiVersion, metadata: metadataOf(decoded.object) };
}

/** Absent: as the path has it. */
function requireKind({ kind, apiVersion }: JsonObject, definition: ResourceDefinition): void {
  if (kind !== undefined && kind !== '' && kind !== definition.kind) {
    throw badRequest(`kind: ${quote(kind)} does not match the path, which is of the kind "${definition.kind}"`);
  }
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== definition.apiVersion) {
    throw badRequest(`apiVersion: ${quote(apiVersion)} does not match the path, which is of "${definition.apiVersion}"`);
  }
}

const quote = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : 'the value');

function refuseWrongTypes({ causes }: DecodedObject, typeErrors: DecodedObject['causes'], definition: ResourceDefinition): void {
  // Of one field the cause from the text says more: it quotes the number as it was sent.
  const all = [...causes, ...typeErrors.filter(({ field }) => !causes.some((cause) => cause.field === field))];
  if (all.length === 0) return;
  const lines = all.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
  throw badRequest(cannotBeHandled(definition, lines.join(', ')), all);
}

const cannotBeHandled = ({ kind, version }: ResourceDefinition, why: string) =>
  `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`;

/** Its members' types were checked just before. */
const metadataOf = ({ metadata }: JsonObject): ObjectMeta => (isMetadata(metadata) ? metadata : {});
const isMetadata = (value: JsonObject[string]): value is ObjectMeta => value !== undefined && isJsonObject(value);
