import type { RawJson } from '../../../../apimachinery/json/raw-json.ts';
import { invalidValue, required } from '../../../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { ControllerRevision } from './types.gen.ts';

const OPENING_BRACE = 0x7b;

/** That `data` is there at all is said by the schema. */
const validateData = (data: RawJson | undefined): StatusCause[] =>
  data === undefined || data.bytes[0] === OPENING_BRACE ? [] : [required('data', 'must be a JSON object')];

const validateRevision = (revision: Unchecked<ControllerRevision>['revision']): StatusCause[] =>
  revision === undefined || revision >= 0 ? [] : [invalidValue('revision', revision, 'must be greater than or equal to 0')];

// Numbers beyond 2^53 and the order of keys differ only as text, so the bytes decide.
const sameData = (left: RawJson | undefined, right: RawJson | undefined): boolean =>
  left === undefined || right === undefined ? left === right : left.equals(right);

export const strategy = defineStrategy<ControllerRevision>({
  unconditionalUpdate: true,
  validateCreate: ({ data, revision }) => [...validateData(data), ...validateRevision(revision)],
  validateUpdate: ({ data, revision }, stored) => [
    ...(sameData(data, stored.data) ? [] : [invalidValue('data', 'object', 'field is immutable')]),
    ...validateRevision(revision),
  ],
});
