import { base64Length } from '../../../../apimachinery/json/base64-text.ts';
import { memberOf } from '../../../../apimachinery/json/member-of.ts';
import { setMember } from '../../../../apimachinery/json/set-member.ts';
import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { invalidWord, NO_CAUSES, tooLong } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { orDefault, withMembers } from '../../../with-members.ts';
import { immutableCauses, keyCauses, MAX_DATA_BYTES, sameData, totalLength } from '../keyed-data.ts';
import { keyPairProblem } from './tls-key-pair.ts';
import { TLS, TLS_CERTIFICATE, TLS_KEY, typeCauses, type UncheckedSecret } from './type-rules.ts';
import type { Secret } from './types.gen.ts';

const DATA = FieldPath.of('data');
const TYPE = FieldPath.of('type');

/** `stringData` is never stored: it becomes part of `data`, and wins there. */
function withStringData(secret: UncheckedSecret): UncheckedSecret {
  const { stringData, data } = secret;
  if (stringData === undefined) return secret;
  const keys = Object.keys(stringData);
  if (keys.length === 0) return withMembers(secret, { stringData: undefined });
  const merged: Record<string, string> = { ...data };
  for (const key of keys) setMember(merged, key, Buffer.from(memberOf(stringData, key) ?? '').toString('base64'));
  return withMembers(secret, { stringData: undefined, data: merged });
}

function secretCauses(secret: UncheckedSecret): readonly StatusCause[] {
  const { data = {} } = secret;
  const isTooLong = totalLength(data, base64Length) > MAX_DATA_BYTES;
  return [...keyCauses(data, DATA), ...(isTooLong ? [tooLong(DATA, MAX_DATA_BYTES)] : NO_CAUSES), ...typeCauses(secret, data)];
}

function updateCauses(secret: UncheckedSecret, stored: UncheckedSecret): readonly StatusCause[] {
  const { type = '' } = secret;
  return [
    ...generateNameCauses(secret, checkDnsSubdomain),
    ...(type === stored.type ? NO_CAUSES : [invalidWord(TYPE, type, 'field is immutable')]),
    ...immutableCauses(secret, stored, () => (sameData(secret.data, stored.data) ? [] : [DATA])),
    ...secretCauses(secret),
  ];
}

function warnings({ type, data = {} }: UncheckedSecret): readonly string[] {
  if (type !== TLS) return [];
  const bytesOf = (key: string) => Buffer.from(memberOf(data, key) ?? '', 'base64');
  const problem = keyPairProblem(bytesOf(TLS_CERTIFICATE), bytesOf(TLS_KEY));
  return problem === undefined ? [] : [problem];
}

export const strategy = defineStrategy<Secret>({
  unconditionalUpdate: true,
  applyDefaults: (secret) => withMembers(withStringData(secret), { type: orDefault(secret.type, 'Opaque') }),
  validateCreate: secretCauses,
  validateUpdate: updateCauses,
  warnOnCreate: warnings,
  warnOnUpdate: warnings,
  selectableFields: { type: ({ type }) => type ?? '' },
});
