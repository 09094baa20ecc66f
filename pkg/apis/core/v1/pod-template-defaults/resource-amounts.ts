import { setMember } from '../../../../apimachinery/json/set-member.ts';
import { roundUpToThousandth } from '../../../../apimachinery/quantity/quantity.ts';
import { withMembers } from '../../../with-members.ts';

type Amounts = Readonly<Record<string, string>>;
interface Requirements {
  readonly limits?: Amounts;
  readonly requests?: Amounts;
}

/** Rounds amounts up to thousandths, the smallest unit that can be allocated. */
export function withRoundedAmounts(amounts: Amounts | undefined): Amounts | undefined {
  if (amounts === undefined) return undefined;
  let changed: Record<string, string> | undefined;
  for (const name in amounts) {
    const amount = amounts[name];
    const rounded = amount === undefined ? undefined : roundUpToThousandth(amount);
    if (rounded === undefined || rounded === amount) continue;
    changed ??= { ...amounts };
    setMember(changed, name, rounded);
  }
  return changed ?? amounts;
}

export const withRoundedRequirements = <T extends Requirements>(requirements: T): T =>
  withMembers<T, Requirements>(requirements, {
    limits: withRoundedAmounts(requirements.limits),
    requests: withRoundedAmounts(requirements.requests),
  });
