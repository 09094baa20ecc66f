/**
 * Which representation an answer takes. Clients name several, with weights; the clauses are tried in the order in which
 * Kubernetes' server tries them, and the first one that can be served is agreed on.
 */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { META_GROUP } from '../../apis/group-suffix.ts';
import { type MediaType, parseMediaType } from './media-type.ts';
import { type Output, PLAIN_JSON, PRETTY_JSON, PROTOBUF } from './output.ts';

export interface NegotiateOptions {
  /** What `wantsPretty` says. */
  readonly pretty: boolean;
  /**
   * What is asked: one object, a list, a watch, one object that has no table, or anything else (discovery, a Status).
   */
  readonly endpoint: 'object' | 'list' | 'watch' | 'review' | 'other';
}

/**
 * A header names a handful of types. Clauses behind these are not looked at, so that a long header costs no more than
 * its bytes.
 */
const MAX_CLAUSES = 64;
const MAX_CHARACTERS = 8192;

/** Of the types that a range names, the first counts. */
const SERVED = ['application/json', 'application/yaml', PROTOBUF] as const;
const STREAMED: readonly Output['mediaType'][] = ['application/json', PROTOBUF];

/** Throws NotAcceptable when nothing that is named can be served. */
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
  // Kubernetes' server looks for the types alone first, and answers in another way when there are none of its own among
  // them.
  const details = isNamed ? {} : { details: {} };
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${served.join(', ')}`, details);
}

const jsonOutput = (pretty: boolean, endpoint: NegotiateOptions['endpoint']): Output =>
  pretty && endpoint !== 'watch' ? PRETTY_JSON : PLAIN_JSON;

const matches = (range: string, type: string): boolean => range === type || range === '*/*' || range === '*' || range === 'application/*';

/** Undefined: this clause asks for what cannot be served. */
function outputOf(
  { parameters }: MediaType,
  mediaType: Output['mediaType'],
  asked: boolean,
  endpoint: NegotiateOptions['endpoint'],
): Output | undefined {
  const { stream = '', sv = '' } = parameters;
  const isStreamed = STREAMED.includes(mediaType);
  if (endpoint === 'watch' && !isStreamed) return undefined;
  if (stream !== '' && (stream !== 'watch' || !isStreamed)) return undefined;
  if (sv !== '' && (sv !== 'v1' || endpoint === 'other')) return undefined;
  const as = asOf(parameters, endpoint);
  if (as === 'unknown' || (as?.kind === 'Table' && mediaType === PROTOBUF)) return undefined;
  const pretty = mediaType === 'application/json' && endpoint !== 'watch' && (asked || parameters['pretty'] === '1');
  if (as !== undefined) return { mediaType, as, pretty };
  return mediaType === 'application/json' ? jsonOutput(pretty, endpoint) : { mediaType, pretty };
}

const KINDS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;

/** `as`, `v` and `g` name a kind that stands for the stored one; together or not at all. */
function asOf(parameters: MediaType['parameters'], endpoint: NegotiateOptions['endpoint']): Output['as'] | 'unknown' {
  const { as: kind = '', v: version = '', g: group = '' } = parameters;
  if (kind === '' && version === '' && group === '') return undefined;
  if (endpoint === 'other' || group !== META_GROUP || (version !== 'v1' && version !== 'v1beta1')) return 'unknown';
  const known = KINDS.find((each) => each === kind);
  if (known === 'Table' && endpoint === 'review') return 'unknown';
  // One that does not fit what is shown is agreed on all the same, and refused later: Kubernetes tries no other clause
  // then.
  return known === undefined ? 'unknown' : { kind: known, version };
}

interface WeighedClause extends MediaType {
  readonly weight: number;
}

/** The clauses of an Accept header as Kubernetes' server would try them. */
export function inOrderOfPreference(accept: string): readonly MediaType[] {
  const clauses = accept.slice(0, MAX_CHARACTERS).split(',', MAX_CLAUSES).map(weighed);
  if (clauses.length === 1) return clauses;
  // By insertion, each clause as far forward as it is preferred: the preference is no total order, and this is what
  // makes of it the order that Kubernetes' clients see.
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

/**
 * A `q` that is no number weighs nothing. Weight 0 is the last choice, not a refusal: so Kubernetes' server takes it.
 */
function weighed(text: string): WeighedClause {
  const clause = parseMediaType(text);
  const { q } = clause.parameters;
  const weight = q === undefined ? 1 : Number(q);
  return { ...clause, weight: Number.isNaN(weight) ? 0 : weight };
}

const isPreferred = (a: WeighedClause, b: WeighedClause): boolean =>
  a.weight > b.weight || (!a.type.startsWith('*') && b.type.startsWith('*')) || (!a.type.endsWith('*') && b.type.endsWith('*'));

/** True when the client accepts gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return acceptEncoding.split(',', MAX_CLAUSES).some((clause) => {
    const { type, parameters } = parseMediaType(clause);
    return type === 'gzip' && Number(parameters['q'] ?? 1) !== 0;
  });
}
