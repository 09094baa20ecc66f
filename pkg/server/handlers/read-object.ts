/** Reads the body of a create or replace as an object of the kind of the path. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ResourceDefinition } from '../../apis/kind.ts';
import { type DecodedObject, findingText, strictDecodingErrorText } from '../../schema/decode.ts';
import { decodeBody } from '../../schema/protobuf/decode-body.ts';
import { auditDeleteOptions, auditSentObject } from './audit-objects.ts';
import { bodyMediaType } from '../negotiation/content-type.ts';
import { PROTOBUF } from '../negotiation/output.ts';
import { asKind, otherKind, typeCauses, typeCausesText } from './decoded-object.ts';
import type { BodyCall, RequestBody, TypedResource } from './resource-call.ts';
import type { FieldValidation } from './write-options.ts';

/** Checks the media type before the body is read. */
export async function readBody(call: BodyCall): Promise<RequestBody> {
  const { context } = call;
  const mediaType = bodyMediaType(context.request.headers['content-type']);
  return toBody(call, mediaType, await context.request.readBody(context.maxBodyBytes));
}

/** Empty when absent; its media type is checked only when there is one. */
export async function readOptionalBody(call: BodyCall): Promise<RequestBody> {
  const { context } = call;
  const body = await context.request.readBody(context.maxBodyBytes);
  if (body.byteLength === 0) return { encoding: 'json', bytes: body };
  const read = await toBody(call, bodyMediaType(context.request.headers['content-type']), body);
  auditDeleteOptions(context, read);
  return read;
}

async function toBody({ context, resource }: BodyCall, mediaType: ReturnType<typeof bodyMediaType>, bytes: Buffer): Promise<RequestBody> {
  if (mediaType === PROTOBUF) return { encoding: 'protobuf', bytes };
  if (mediaType === 'application/json' || bytes.byteLength === 0) return { encoding: 'json', bytes };
  return { encoding: 'json', bytes: await resource.yamlReader.toJson(bytes, context.signal) };
}

/** `fieldValidation` has no effect on protobuf, where unknown fields have no names. */
export function parseObject(call: BodyCall, body: RequestBody, fieldValidation: FieldValidation): KubernetesObject {
  const { context, resource } = call;
  const { definition } = resource.kind;
  const decoded = decode(resource, body);
  const causes = typeCauses(resource.validator, decoded);
  if (causes.length > 0) throw badRequest(cannotBeHandled(definition, typeCausesText(causes)), causes);
  const { findings } = decoded;
  if (fieldValidation === 'Strict' && findings.length > 0) throw badRequest(cannotBeHandled(definition, strictDecodingErrorText(findings)));
  if (fieldValidation === 'Warn') for (const finding of findings) context.warn(findingText(finding));
  const object = asKind(decoded.object, definition);
  auditSentObject(call, object);
  return object;
}

function decode({ kind, codec, message }: TypedResource, { encoding, bytes }: RequestBody): DecodedObject {
  const assertType = (type: JsonObject) => {
    const other = otherKind(type, kind.definition);
    if (other !== undefined) throw badRequest(other);
  };
  if (encoding === 'protobuf') return decodeBody(bytes, message, ({ kind, apiVersion }) => assertType({ kind, apiVersion }));
  const decoded = codec.decodeBody(bytes);
  assertType(decoded.object);
  return decoded;
}

const cannotBeHandled = ({ kind, version }: Pick<ResourceDefinition, 'kind' | 'version'>, why: string) =>
  `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`;
