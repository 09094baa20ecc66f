/** The rules of certificate signer names: `example.com/signer`. */
import { checkDnsLabel, checkDnsSubdomain, type NameCheck } from '../../../../apimachinery/meta/names.ts';
import { invalidValue, NO_CAUSES, required, tooLong } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';

const MAX_DOMAIN = 253;
/** A domain, a slash, a namespace, a dot and a name. */
const MAX_SIGNER_NAME = MAX_DOMAIN + 1 + 63 + 1 + 253;

export function validateSignerName(name: string, path: FieldPath): readonly StatusCause[] {
  if (name === '') return [required(path)];
  const [domain = '', rest, ...more] = name.split('/', 3);
  if (rest === undefined || more.length > 0) {
    return [invalidValue(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  return [
    ...(domain.length > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : NO_CAUSES),
    ...firstWrongPart(domain, path, checkDnsLabel),
    ...(domain.includes('.') ? NO_CAUSES : [invalidValue(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstWrongPart(rest, path, checkDnsSubdomain),
    ...(Buffer.byteLength(name) > MAX_SIGNER_NAME ? [tooLong(path, MAX_SIGNER_NAME)] : NO_CAUSES),
  ];
}

/** Causes of the first invalid part only. */
function firstWrongPart(dotted: string, path: FieldPath, check: NameCheck): readonly StatusCause[] {
  const wrong = dotted.split('.').find((part) => check(part).length > 0);
  return wrong === undefined
    ? NO_CAUSES
    : check(wrong).map((why) => invalidValue(path, dotted, `validating label ${JSON.stringify(wrong)}: ${why}`));
}

/** Whether the signer is one of Kubernetes' own. */
export function isKubernetesSigner(name: string): boolean {
  const domain = name.split('/', 1)[0] ?? '';
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}
