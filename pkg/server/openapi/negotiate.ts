import { StatusError } from '../../apimachinery/status/status-error.ts';
import { parseMediaType } from '../negotiation/media-type.ts';

const USABLE = new Set(['application/json', 'application/*', '*/*']);
const MAX_CLAUSES = 64;

/** Documents are JSON. Clients that name protobuf first name JSON second; one that takes nothing else gets NotAcceptable. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (accept === undefined || accept === '') return;
  const usable = accept
    .split(',', MAX_CLAUSES)
    .map(parseMediaType)
    .some(({ type, parameters }) => USABLE.has(type) && Number(parameters['q'] ?? 1) !== 0);
  if (!usable) throw new StatusError('NotAcceptable', 'only the following media types are accepted: application/json');
}
