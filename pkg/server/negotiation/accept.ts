/** Negotiates the representation. Accept clauses are tried in Kubernetes' order; the first that can be served wins. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { type MediaType, parseMediaType } from './media-type.ts';
import { type Output, PLAIN_JSON, PRETTY_JSON, PROTOBUF } from './output.ts';

export interface NegotiateOptions {
  /** The result of `wantsPretty`. */
  readonly pretty: boolean;
  /** The kind of endpoint. `review`: an object without a Table; `other`: discovery or a Status. */
  readonly endpoint: 'object' | 'list' | 'watch' | 'review' | 'other';
}

/** Real headers name a few types. Further clauses are ignored, so that long headers cost little. */
const MAX_CLAUSES = 64;
const MAX_CHARACTERS = 8192;

/** The first match of a range counts. */
const SERVED = ['application/json', 'application/yaml', PROTOBUF] as const;
const STREAMED: readonly Output['mediaType'][] = ['application/json', PROTOBUF];

/** Throws NotAcceptable when no clause can be served. */
export function negotiate(accept: string | undefined, { pretty, endpoint }: NegotiateOptions): Output {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return jsonOutput(pretty, endpoint);
  let isNamed = endpoint === 'other';
  for (const clause of inOrderOfPreference(accept)) {
    for (const mediaType of SERVED) {
      if (!matches(clause.type, mediaType)) continue;
      isNamed = true;
      const output = outputOf(clause, mediaType, pretty, endpoint);
      if (output !== undefined) return output;
    }
  }
  const served = endpoint === 'watch' ? STREAMED.map((mediaType) => `${mediaType};stream=watch`) : SERVED;
  // Kubernetes first looks for the types alone, and its error has no details when one of them matched.
  const details = isNamed ? {} : { details: {} };
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${served.join(', ')}`, details);
}

const jsonOutput = (pretty: boolean, endpoint: NegotiateOptions['endpoint']): Output =>
  pretty && endpoint !== 'watch' ? PRETTY_JSON : PLAIN_JSON;

const matches = (range: string, type: string): boolean => range === type || range === '*/*' || range === '*' || range === 'application/*';

/** Undefined: this clause cannot be served. */
function outputOf(
  { parameters }: MediaType,
  mediaType: Output['mediaType'],
  isRequested: boolean,
  endpoint: NegotiateOptions['endpoint'],
): Output | undefined {
  const { stream = '', sv = '' } = parameters;
  const isStreamed = STREAMED.includes(mediaType);
  if (endpoint === 'watch' && !isStreamed) return undefined;
  if (stream !== '' && (stream !== 'watch' || !isStreamed)) return undefined;
  if (sv !== '' && (sv !== 'v1' || endpoint === 'other')) return undefined;
  const as = asOf(parameters, endpoint);
  if (as === 'unknown' || (as?.kind === 'Table' && mediaType === PROTOBUF)) return undefined;
  const pretty = mediaType === 'application/json' && endpoint !== 'watch' && (isRequested || parameters['pretty'] === '1');
  if (as !== undefined) return { mediaType, as, pretty };
  return mediaType === 'application/json' ? jsonOutput(pretty, endpoint) : { mediaType, pretty };
}

const KINDS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;

/** `as`, `v` and `g` select another kind, such as Table. All three are required. */
function asOf(parameters: MediaType['parameters'], endpoint: NegotiateOptions['endpoint']): Output['as'] | 'unknown' {
  const { as: kind = '', v: version = '', g: group = '' } = parameters;
  if (kind === '' && version === '' && group === '') return undefined;
  if (endpoint === 'other' || group !== META_GROUP || (version !== 'v1' && version !== 'v1beta1')) return 'unknown';
  const known = KINDS.find((each) => each === kind);
  if (known === 'Table' && endpoint === 'review') return 'unknown';
  // A kind that does not fit the endpoint is refused later: Kubernetes tries no other clause then.
  return known === undefined ? 'unknown' : { kind: known, version };
}

interface WeighedClause extends MediaType {
  readonly weight: number;
}

/** The clauses of an Accept header in the order in which Kubernetes tries them. */
export function inOrderOfPreference(accept: string): readonly MediaType[] {
  const clauses = accept.slice(0, MAX_CHARACTERS).split(',', MAX_CLAUSES).map(weighed);
  if (clauses.length === 1) return clauses;
  // Insertion sort: the preference is not a total order, and this gives the same result as Kubernetes.
  for (let next = 1; next < clauses.length; next++) {
    for (let at = next; at > 0; at--) {
      const [before, clause] = [clauses[at - 1], clauses[at]];
      if (before === undefined || clause === undefined || !isPreferred(clause, before)) break;
      clauses[at - 1] = clause;
      clauses[at] = before;
    }
  }
  return clauses;
}

/** An invalid `q` counts as 0. As in Kubernetes, 0 means last choice, not refusal. */
function weighed(text: string): WeighedClause {
  const clause = parseMediaType(text);
  const { q } = clause.parameters;
  const weight = q === undefined ? 1 : Number(q);
  return { ...clause, weight: Number.isNaN(weight) ? 0 : weight };
}

const isPreferred = (a: WeighedClause, b: WeighedClause): boolean =>
  a.weight > b.weight || (!a.type.startsWith('*') && b.type.startsWith('*')) || (!a.type.endsWith('*') && b.type.endsWith('*'));

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',', MAX_CLAUSES).some((clause) => {
    const { type, parameters } = parseMediaType(clause);
    return type === 'gzip' && Number(parameters['q'] ?? 1) !== 0;
  });
}
