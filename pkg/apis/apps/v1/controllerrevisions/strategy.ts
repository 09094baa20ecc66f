import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import type { RawJson } from '../../../../apimachinery/json/raw-json.ts';
import { invalidValue, invalidWhole, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import type { ControllerRevision } from './types.gen.ts';

type UncheckedRevision = Unchecked<ControllerRevision>;

const OPENING_BRACE = 0x7b;

function dataCauses({ data }: UncheckedRevision): readonly StatusCause[] {
  if (data === undefined) return [required('data', 'data is mandatory')];
  return data.bytes[0] === OPENING_BRACE ? NO_CAUSES : [required('data', 'data must be a valid JSON object')];
}

const revisionCauses = ({ revision = 0 }: UncheckedRevision): readonly StatusCause[] =>
  revision >= 0 ? NO_CAUSES : [invalidValue('revision', revision, 'must be greater than or equal to 0')];

// Compares bytes, because parsed JSON loses the key order and the digits of numbers beyond 2^53.
const sameData = (left: RawJson | undefined, right: RawJson | undefined): boolean =>
  left === undefined || right === undefined ? left === right : left.equals(right);

export const strategy = defineStrategy<ControllerRevision>({
  unconditionalUpdate: true,
  validateCreate: (object) => [...revisionCauses(object), ...dataCauses(object)],
  validateUpdate: (object, stored) => [
    ...generateNameCauses(object, checkDnsSubdomain),
    ...revisionCauses(object),
    ...(sameData(object.data, stored.data) ? NO_CAUSES : [invalidWhole('data', 'field is immutable')]),
  ],
});
