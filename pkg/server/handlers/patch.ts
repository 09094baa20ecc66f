/** PATCH of an object or its status. The media type of the body selects one of four kinds of patch. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ObjectChange, CurrentObject } from '../../registry/object-store.ts';
import { APPLY_PATCH, type PatchMediaType, patchMediaType } from '../negotiation/patch-media-type.ts';
import { auditPatch } from './audit-objects.ts';
import { assertMayCreate } from './may-create.ts';
import { objectResponse } from './object-response.ts';
import { parseConfiguration } from './parse-configuration.ts';
import { type ParsedPatch, parsePatch } from './parse-patch.ts';
import { parsePatchOptions, type PatchQuery } from './patch-options.ts';
import { managedFieldsOf, parsePatched, patchableDocument, withResourceVersion } from './patched-object.ts';
import type { ResourceCall, ResourceHandler } from './resource-call.ts';

export interface PatchHandlerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Checks access again when an apply would create. */
  readonly authorizer: Authorizer;
}

export const createPatch =
  ({ clock, authorizer }: PatchHandlerOptions): ResourceHandler =>
  async (call) => {
    const { context, info, resource } = call;
    const { headers } = context.request;
    const mediaType = patchMediaType(headers['content-type']);
    const body = await context.request.readBody(context.maxBodyBytes);
    if (mediaType !== APPLY_PATCH) auditPatch(context, body);
    const query = parsePatchOptions(context.query, headers['user-agent'], { isApply: mediaType === APPLY_PATCH });
    const change =
      mediaType === APPLY_PATCH ? await toApply(call, body, query, clock) : toPatch(call, mediaType, body, query.fieldValidation);
    const { outcome, object } = await resource.store.update(info, info.subresource, change, {
      dryRun: query.dryRun,
      fieldManager: query.fieldManager,
      user: context.user,
      signal: context.signal,
      mayCreate: () => assertMayCreate(authorizer, call),
      warn: (text) => context.warn(text),
    });
    return objectResponse(call, outcome === 'created' ? 201 : 200, object.json);
  };

/** Parsed once, and only when the object exists. */
function toPatch(
  call: ResourceCall,
  mediaType: Exclude<PatchMediaType, typeof APPLY_PATCH>,
  body: Buffer,
  fieldValidation: PatchQuery['fieldValidation'],
): ObjectChange {
  const { resource } = call;
  let parsed: ParsedPatch | undefined;
  const patch = (current: CurrentObject) => {
    parsed ??= parsePatch(mediaType, body, resource.kind.shape);
    const document = patchableDocument(resource, current);
    return parsePatched(call, parsed.applyTo(document), {
      ...parsed,
      fieldValidation,
      managedFields: managedFieldsOf(document),
      untouched: { document, object: current.object },
    });
  };
  return { by: 'patch', patch };
}

async function toApply(call: ResourceCall, body: Buffer, query: PatchQuery, clock: PatchHandlerOptions['clock']): Promise<ObjectChange> {
  const { context, info, resource } = call;
  const { fieldManager: manager, fieldValidation, force } = query;
  const json = body.byteLength === 0 ? body : await resource.yamlReader.toJson(body, context.signal);
  auditPatch(context, json);
  const config = parseConfiguration(call, json, fieldValidation);
  const apply = async (current: CurrentObject | undefined): Promise<KubernetesObject> => {
    const applier = { manager, subresource: info.subresource, nowMs: clock.now(), force } as const;
    const applied = withName(resource.fieldManager.apply(current?.object, withoutVersion(config, current), applier), info.name);
    const managedFields = managedFieldsOf(applied);
    return parsePatched(call, withCurrentVersion(applied, current), { findings: [], fieldValidation, managedFields });
  };
  return { by: 'apply', apply };
}

/** The name defaults to that of the path. */
function withName(document: JsonObject, name: string): JsonObject {
  const { metadata } = document;
  return metadata !== undefined && isJsonObject(metadata) && metadata['name'] === undefined
    ? { ...document, metadata: { ...metadata, name } }
    : document;
}

/** Drops a resourceVersion equal to the current one, so that it is not a change. */
function withoutVersion(config: JsonObject, current: CurrentObject | undefined): JsonObject {
  const { metadata } = config;
  if (current === undefined || metadata === undefined || !isJsonObject(metadata)) return config;
  const { resourceVersion, ...others } = metadata;
  return resourceVersion === String(current.revision) ? { ...config, metadata: others } : config;
}

/** Without a resourceVersion the result is based on the current one. */
function withCurrentVersion(document: JsonObject, current: CurrentObject | undefined): JsonObject {
  const { metadata } = document;
  const named = metadata !== undefined && isJsonObject(metadata) && metadata['resourceVersion'] !== undefined;
  return current === undefined || named ? document : withResourceVersion(document, String(current.revision));
}
