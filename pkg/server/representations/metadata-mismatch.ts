import { StatusError } from '../../apimachinery/status/status-error.ts';

/** An error for list metadata requested of an object, or the reverse. `shown`: the type of the answer, with package. */
export function metadataMismatch(requested: 'PartialObjectMetadata' | 'PartialObjectMetadataList', shown: string): StatusError {
  const what = requested === 'PartialObjectMetadata' ? 'a list' : 'not a list';
  return new StatusError('NotAcceptable', `you requested ${requested}, but the requested object is ${what} (*${shown})`);
}
