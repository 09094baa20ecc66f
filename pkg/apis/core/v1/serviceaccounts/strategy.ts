import { checkDnsSubdomain } from '../../../../apimachinery/meta/names.ts';
import { defineStrategy, type Unchecked } from '../../../define-strategy.ts';
import { generateNameCauses } from '../../../meta/v1/name-causes.ts';
import { withElements, withMembers } from '../../../with-members.ts';
import type { ServiceAccount } from './types.gen.ts';

type UncheckedAccount = Unchecked<ServiceAccount>;
type SecretReference = NonNullable<UncheckedAccount['secrets']>[number];

const ENFORCE_MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';

function nameOnly(secret: SecretReference): SecretReference {
  const { name, ...others } = secret;
  if (Object.keys(others).length === 0) return secret;
  return name === undefined ? {} : { name };
}

/** A secret is one of the same namespace, so its name is all there is to say. */
const withSecretNames = (account: UncheckedAccount): UncheckedAccount =>
  withMembers(account, { secrets: withElements(account.secrets, nameOnly) });

const isEnforcing = ({ metadata: { annotations = {} } = {} }: UncheckedAccount): boolean => Object.hasOwn(annotations, ENFORCE_MOUNTABLE);

const warnings = (account: UncheckedAccount): readonly string[] =>
  isEnforcing(account)
    ? [`metadata.annotations[${ENFORCE_MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`]
    : [];

export const strategy = defineStrategy<ServiceAccount>({
  unconditionalUpdate: true,
  deleteReturnsObject: true,
  prepareForCreate: withSecretNames,
  prepareForUpdate: withSecretNames,
  validateUpdate: (account) => generateNameCauses(account, checkDnsSubdomain),
  warnOnCreate: warnings,
  warnOnUpdate: (account, stored) => (isEnforcing(stored) ? [] : warnings(account)),
});
