/** Encodes the response to a review in the negotiated representation. */
import { META_GROUP } from '../../apis/group-suffix.ts';
import { internalTypeName } from '../../apis/internal-type.ts';
import type { KubernetesObject } from '../../apis/kind.ts';
import { PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import type { ReviewDefinition } from '../../apis/review.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { writeEnvelope } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';
import { metadataMismatch } from '../representations/metadata-mismatch.ts';
import { jsonResponse } from '../handlers/json-response.ts';
import type { TypedResource } from '../handlers/resource-call.ts';
import { PROTOBUF, type Output } from '../negotiation/output.ts';
import type { ApiResponse } from '../transports/request.ts';

type Codecs = Pick<TypedResource, 'codec' | 'message'>;

/** Clients expect 201, although nothing is stored. */
const CREATED = 201;

/** Throws NotAcceptable for a list representation. */
export type ReviewResponder = (review: Codecs, definition: ReviewDefinition, answer: KubernetesObject, output: Output) => ApiResponse;

export function createReviewResponder(): ReviewResponder {
  const shape = PartialObjectMetadataShape;
  const metadataAlone: Codecs = { codec: createObjectCodec(shape), message: createMessageCodec(shape) };
  return (review, definition, answer, { as, mediaType }) => {
    if (as === undefined) return respond(review, answer, mediaType);
    if (as.kind === 'PartialObjectMetadataList') throw metadataMismatch(as.kind, internalTypeName({ definition }, definition.kind));
    const { metadata } = answer;
    return respond(metadataAlone, { kind: as.kind, apiVersion: `${META_GROUP}/${as.version}`, metadata }, mediaType);
  };
}

/** The encode step converts it to YAML or indented JSON. */
function respond({ codec, message }: Codecs, shown: KubernetesObject, mediaType: Output['mediaType']): ApiResponse {
  if (mediaType !== PROTOBUF) return jsonResponse(CREATED, [codec.encode(shown)]);
  return { code: CREATED, headers: { 'Content-Type': PROTOBUF }, body: [writeEnvelope(shown, message.encode(shown))] };
}
