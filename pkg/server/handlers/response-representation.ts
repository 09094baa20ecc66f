/** Selects the representation of the objects in a response. */
import type { Verb } from '../../apis/kind.ts';
import { negotiateOutput } from '../negotiation/negotiate.ts';
import type { NegotiateOptions } from '../negotiation/accept.ts';
import { PROTOBUF } from '../negotiation/output.ts';
import type { ResourceRepresentation } from '../representations/resource-representation.ts';
import type { ResourceRepresentations } from '../representations/resource-representations.ts';
import type { RequestContext } from '../filters/context.ts';

const ENDPOINT_OF: Record<Verb, NegotiateOptions['endpoint']> = {
  get: 'object',
  list: 'list',
  watch: 'watch',
  create: 'object',
  update: 'object',
  patch: 'object',
  delete: 'object',
  deletecollection: 'list',
};

/** Of these paths, an object can be shown as a Table. */
const HAS_TABLE: readonly string[] = ['', 'status'];

/** Undefined: the stored representation. Throws NotAcceptable. */
export function negotiateRepresentation(
  context: RequestContext,
  { verb, subresource }: { readonly verb: Verb; readonly subresource: string },
  representations: ResourceRepresentations,
): ResourceRepresentation | undefined {
  const endpoint = HAS_TABLE.includes(subresource) ? ENDPOINT_OF[verb] : 'review';
  const { as, mediaType } = negotiateOutput(context, endpoint);
  const inProtobuf = mediaType === PROTOBUF;
  if (as === undefined) return inProtobuf ? representations.inProtobuf() : representations.inJson();
  const shows = endpoint === 'list' ? 'list' : 'object';
  return representations.find({ as, inProtobuf, shows, includeObject: context.query.first('includeObject') });
}
