/** A spec as Kubernetes' internal type: names of Go, and every field present. */
import type { JsonValue } from '../../../../apimachinery/json/json-value.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PriorityLevelConfigurationSpec } from './types.gen.ts';

export type InternalSpec = Readonly<Record<'Type' | 'Limited' | 'Exempt', JsonValue>>;

export function toInternalSpec({ type = '', limited, exempt }: Unchecked<PriorityLevelConfigurationSpec>): InternalSpec {
  return {
    Type: type,
    Limited:
      limited === undefined
        ? null
        : {
            NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
            LimitResponse: toInternalResponse(limited.limitResponse ?? {}),
            LendablePercent: limited.lendablePercent ?? null,
            BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
          },
    Exempt:
      exempt === undefined
        ? null
        : { NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null, LendablePercent: exempt.lendablePercent ?? null },
  };
}

type Response = NonNullable<NonNullable<Unchecked<PriorityLevelConfigurationSpec>['limited']>['limitResponse']>;

const toInternalResponse = ({ type = '', queuing }: Response): JsonValue => ({
  Type: type,
  Queuing:
    queuing === undefined
      ? null
      : { Queues: queuing.queues ?? 0, HandSize: queuing.handSize ?? 0, QueueLengthLimit: queuing.queueLengthLimit ?? 0 },
});
