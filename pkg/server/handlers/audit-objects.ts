/** What handlers add to the audit of a request. All of it costs nothing unless the request is audited. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject, writeJson } from '../../apimachinery/json/write-json.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { objectText } from '../../audit/object-text.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Strategy, KubernetesObject } from '../../apis/kind.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { RequestContext } from '../filters/context.ts';
import type { BodyCall, RequestBody } from './resource-call.ts';

/** The object that the client sent, with the defaults of its kind, as Kubernetes records it. */
export function auditSentObject({ context: { audit }, resource: { kind, codec } }: BodyCall, object: KubernetesObject): void {
  if (audit === undefined) return;
  audit.identify(object.metadata);
  if (!audit.wantsRequestObject) return;
  const { applyDefaults }: Pick<Strategy, 'applyDefaults'> = kind.strategy ?? {};
  audit.requestObject = objectText([codec.encode(applyDefaults?.(object) ?? object)], audit);
}

/** As sent. What is malformed is refused later. */
export function auditPatch({ audit }: RequestContext, json: Uint8Array): void {
  if (audit?.wantsRequestObject !== true) return;
  const patch = parsed(json);
  if (patch !== undefined) audit.requestObject = writeJson(patch);
}

/** With the type that Kubernetes records. Options in protobuf are not recorded. */
export function auditDeleteOptions({ audit }: RequestContext, { encoding, bytes }: RequestBody): void {
  if (audit?.wantsRequestObject !== true || encoding !== 'json') return;
  const options = parsed(bytes);
  if (options === undefined || !isJsonObject(options)) return;
  audit.requestObject = writeJson({ kind: 'DeleteOptions', apiVersion: `${META_GROUP}/__internal`, ...without(options) });
}

const without = ({ kind: _kind, apiVersion: _apiVersion, ...others }: JsonObject): JsonObject => others;

function parsed(json: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(json, undefined, 'tokens').value;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** The stored object of a response, which may be sent in another encoding. */
export function auditResponseObject({ audit }: RequestContext, json: readonly Uint8Array[]): void {
  if (audit?.wantsResponseObject === true) audit.responseObject = objectText(json, audit);
}

/** The same for a list. `write` writes it as JSON. */
export async function auditResponseList({ audit }: RequestContext, write: (writer: ResponseWriter) => Promise<void>): Promise<void> {
  if (audit?.wantsResponseObject !== true) return;
  const parts: Uint8Array[] = [];
  await write({
    write: (bytes) => {
      parts.push(Buffer.from(bytes));
      return true;
    },
    drained: () => Promise.resolve(),
    queuedBytes: 0,
    closed: false,
  });
  audit.responseObject = objectText(parts, audit);
}
