/** Patches that transform a document, by media type. */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { type JsonFinding, parseJson } from '../../apimachinery/json/parse-json.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { applyJsonPatch } from '../../fieldmanager/json-patch/apply-json-patch.ts';
import { parseJsonPatch } from '../../fieldmanager/json-patch/parse-json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../../fieldmanager/merge-patch/apply-merge-patch.ts';
import { applyStrategicMergePatch } from '../../fieldmanager/strategic-merge-patch/apply-strategic-merge-patch.ts';
import { findingText } from '../../schema/decode.ts';
import { type APPLY_PATCH, JSON_PATCH, MERGE_PATCH, type PatchMediaType, STRATEGIC_MERGE_PATCH } from '../negotiation/patch-media-type.ts';

export interface ParsedPatch {
  /** Duplicate and unknown members, in the wording of warnings. */
  readonly findings: readonly string[];
  /** Has no side effects. Throws StatusError for a patch that cannot be applied. */
  readonly applyTo: (document: JsonObject) => JsonValue;
  /** The patch cannot change the object's kind. */
  readonly keepsKind?: boolean;
}

/** Throws BadRequest for a malformed patch. */
export const parsePatch = (mediaType: DocumentPatch, body: Buffer, shape: ObjectShape): ParsedPatch => PARSERS[mediaType](body, shape);

type DocumentPatch = Exclude<PatchMediaType, typeof APPLY_PATCH>;

const PARSERS: Record<DocumentPatch, (body: Buffer, shape: ObjectShape) => ParsedPatch> = {
  [JSON_PATCH]: (body) => {
    const patch = parseJsonPatch(body);
    return {
      findings: patch.findings.map((finding) => `json patch ${findingText(finding)}`),
      applyTo: (document) => applyJsonPatch(document, patch),
    };
  },
  [MERGE_PATCH]: (body) => {
    const { patch, findings } = parseMergePatch(body);
    return { findings: findings.map(findingText), applyTo: (document) => applyMergePatch(document, patch) };
  },
  [STRATEGIC_MERGE_PATCH]: (body, shape) => {
    const { patch, findings } = parseStrategicMergePatch(body, shape);
    return {
      findings: findings.map(findingText),
      applyTo: (document) => applyStrategicMergePatch(shape, document, patch),
      keepsKind: true,
    };
  },
};

interface StrategicMergePatch {
  readonly patch: JsonObject;
  readonly findings: readonly JsonFinding[];
}

/** As in Kubernetes, `null` is an empty patch and `1.0` an integer. Kinds with raw values keep numbers as tokens. */
function parseStrategicMergePatch(body: Buffer, { fields }: ObjectShape): StrategicMergePatch {
  const hasRawValues = fields.some(({ type }) => type.shape === 'raw');
  const { value, findings } = parseJson(body, undefined, hasRawValues ? 'tokens' : 'values');
  if (value === null) return { patch: {}, findings };
  if (!isJsonObject(value)) throw badRequest('the strategic merge patch is not an object');
  return { patch: value, findings };
}
