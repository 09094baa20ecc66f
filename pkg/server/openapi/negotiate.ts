import { StatusError } from '../../apimachinery/status/status-error.ts';
import { inOrderOfPreference } from '../negotiation/accept.ts';

/** Responses use the first name; older clients send the second. */
export const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const OLD_V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

type DocumentType = 'application/json' | typeof V2_PROTOBUF;

const TYPES: ReadonlyMap<string, DocumentType> = new Map([
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
  [V2_PROTOBUF, V2_PROTOBUF],
  [OLD_V2_PROTOBUF, V2_PROTOBUF],
]);

/** The preferred media type of the OpenAPI v2 document. Throws NotAcceptable. */
export const negotiateV2 = (accept: string | undefined): DocumentType => agree(accept, ['application/json', V2_PROTOBUF]);

/** All other documents are JSON. Clients that prefer protobuf also accept JSON; others get NotAcceptable. */
export function requireJsonAccepted(accept: string | undefined): void {
  agree(accept, ['application/json']);
}

function agree(accept: string | undefined, served: readonly DocumentType[]): DocumentType {
  if (accept === undefined || accept === '') return 'application/json';
  for (const { type, parameters } of inOrderOfPreference(accept)) {
    const found = TYPES.get(type);
    if (found !== undefined && served.includes(found) && Number(parameters['q'] ?? 1) !== 0) return found;
  }
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${served.join(', ')}`);
}
