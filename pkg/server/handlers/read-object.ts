/** The body of a create or a replace, as an object of the kind that the path names. */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { KubernetesObject, ResourceDefinition } from '../../apis/kind.ts';
import { findingText, strictDecodingErrorText } from '../../schema/decode.ts';
import { bodyMediaType } from '../negotiation/content-type.ts';
import { asKind, otherKind, typeCauses, typeCausesText } from './decoded-object.ts';
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
  const other = otherKind(decoded.object, definition);
  if (other !== undefined) throw badRequest(other);
  const causes = typeCauses(resource.validator, decoded);
  if (causes.length > 0) throw badRequest(cannotBeHandled(definition, typeCausesText(causes)), causes);
  const { findings } = decoded;
  if (fieldValidation === 'Strict' && findings.length > 0) throw badRequest(cannotBeHandled(definition, strictDecodingErrorText(findings)));
  if (fieldValidation === 'Warn') for (const finding of findings) context.warn(findingText(finding));
  return asKind(decoded.object, definition);
}

const cannotBeHandled = ({ kind, version }: ResourceDefinition, why: string) =>
  `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`;
