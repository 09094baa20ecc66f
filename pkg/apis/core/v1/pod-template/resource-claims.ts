/** The rules of a pod's resource claims: each refers to a claim or a claim template. */
import { checkDnsLabel, checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, invalidWhole, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { PodResourceClaim } from '../types.gen.ts';

/** `path`: that of the list. */
export function validateResourceClaims(
  claims: readonly Unchecked<PodResourceClaim>[] | undefined,
  path: FieldPath,
): readonly StatusCause[] {
  const seen = new Set<string>();
  return causesOfElements(path, claims, (claim, at) => {
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...claimNameCauses(name, isRepeated, at.child('name')),
      ...sourceCauses(claim, at),
      ...(resourceClaimName === undefined ? NO_CAUSES : nameCauses(resourceClaimName, at.child('resourceClaimName'), checkDnsSubdomain)),
      ...(resourceClaimTemplateName === undefined
        ? NO_CAUSES
        : nameCauses(resourceClaimTemplateName, at.child('resourceClaimTemplateName'), checkDnsSubdomain)),
    ];
  });
}

function claimNameCauses(name: string, isRepeated: boolean, path: FieldPath): readonly StatusCause[] {
  if (name === '') return [required(path)];
  return isRepeated ? [duplicateValue(path, name)] : nameCauses(name, path, checkDnsLabel);
}

function sourceCauses(
  { resourceClaimName, resourceClaimTemplateName }: Unchecked<PodResourceClaim>,
  path: FieldPath,
): readonly StatusCause[] {
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    return [invalidWhole(path, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')];
  }
  if (resourceClaimName !== undefined || resourceClaimTemplateName !== undefined) return NO_CAUSES;
  return [invalidWhole(path, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')];
}
