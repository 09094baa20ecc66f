import { StatusError } from '../../apimachinery/status/status-error.ts';

/**
 * The metadata of a list was asked for where one object is shown, or the other way round. `shown`: the type of what is
 * shown.
 */
export function metadataMismatch(
  asked: 'PartialObjectMetadata' | 'PartialObjectMetadataList',
  shown: { readonly group: string; readonly kind: string },
): StatusError {
  const [packageName = ''] = (shown.group || 'core').split('.', 1);
  const what = asked === 'PartialObjectMetadata' ? 'a list' : 'not a list';
  return new StatusError('NotAcceptable', `you requested ${asked}, but the requested object is ${what} (*${packageName}.${shown.kind})`);
}
