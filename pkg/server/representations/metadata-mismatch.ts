import { StatusError } from '../../apimachinery/status/status-error.ts';
import { groupName } from '../../apis/group-name.ts';

/** An error for list metadata requested of an object, or the reverse. `shown`: the type of the response. */
export function metadataMismatch(
  requested: 'PartialObjectMetadata' | 'PartialObjectMetadataList',
  shown: { readonly group: string; readonly kind: string },
): StatusError {
  const [packageName = ''] = groupName(shown.group).split('.', 1);
  const what = requested === 'PartialObjectMetadata' ? 'a list' : 'not a list';
  return new StatusError(
    'NotAcceptable',
    `you requested ${requested}, but the requested object is ${what} (*${packageName}.${shown.kind})`,
  );
}
