import { base64Length } from '../../../../apimachinery/json/base64-text.ts';
import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { causesOfEach, invalidValue, NO_CAUSES, tooLong } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { immutableCauses, keyCauses, MAX_DATA_BYTES, sameData, totalLength } from '../keyed-data.ts';
import type { ConfigMap } from './types.gen.ts';

type UncheckedMap = Unchecked<ConfigMap>;

const DATA = FieldPath.of('data');
const BINARY_DATA = FieldPath.of('binaryData');
/** How Kubernetes formats a path without a name, which means the whole object. */
const WHOLE = '[]';

function dataCauses({ data = {}, binaryData = {} }: UncheckedMap): readonly StatusCause[] {
  const size = totalLength(data, (text) => Buffer.byteLength(text)) + totalLength(binaryData, base64Length);
  const twice = causesOfEach(Object.keys(data), (key) =>
    Object.hasOwn(binaryData, key) ? [invalidValue(DATA.key(key), key, 'duplicate of key present in binaryData')] : NO_CAUSES,
  );
  return [
    ...keyCauses(data, DATA),
    ...twice,
    ...keyCauses(binaryData, BINARY_DATA),
    ...(size > MAX_DATA_BYTES ? [tooLong(WHOLE, MAX_DATA_BYTES)] : NO_CAUSES),
  ];
}

function changedFields(object: UncheckedMap, stored: UncheckedMap): readonly FieldPath[] {
  return [
    ...(sameData(object.data ?? {}, stored.data ?? {}) ? [] : [DATA]),
    ...(sameData(object.binaryData, stored.binaryData) ? [] : [BINARY_DATA]),
  ];
}

export const strategy = defineStrategy<ConfigMap>({
  unconditionalUpdate: true,
  validateCreate: dataCauses,
  validateUpdate: (object, stored) => [
    ...generateNameCauses(object, checkDnsSubdomain),
    ...immutableCauses(object, stored, () => changedFields(object, stored)),
    ...dataCauses(object),
  ],
});
