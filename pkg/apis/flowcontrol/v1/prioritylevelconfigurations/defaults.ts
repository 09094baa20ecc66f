import type { Unchecked } from '../../../define-strategy.ts';
import type { LimitedPriorityLevelConfiguration, PriorityLevelConfigurationSpec, QueuingConfiguration } from './types.gen.ts';

const SHARES = 30;
const QUEUES = 64;
const HAND_SIZE = 8;
const QUEUE_LENGTH = 50;

export function withDefaults(spec: Unchecked<PriorityLevelConfigurationSpec>): Unchecked<PriorityLevelConfigurationSpec> {
  const { limited, exempt } = spec;
  return {
    ...spec,
    ...(limited === undefined ? {} : { limited: withLimitedDefaults(limited) }),
    ...(exempt === undefined ? {} : { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0, ...exempt } }),
  };
}

function withLimitedDefaults(limited: Unchecked<LimitedPriorityLevelConfiguration>): Unchecked<LimitedPriorityLevelConfiguration> {
  const { limitResponse } = limited;
  return {
    nominalConcurrencyShares: SHARES,
    lendablePercent: 0,
    ...limited,
    ...(limitResponse?.queuing === undefined
      ? {}
      : { limitResponse: { ...limitResponse, queuing: withQueuingDefaults(limitResponse.queuing) } }),
  };
}

const withQueuingDefaults = ({ queues, handSize, queueLengthLimit }: Unchecked<QueuingConfiguration>): QueuingConfiguration => ({
  queues: orDefault(queues, QUEUES),
  handSize: orDefault(handSize, HAND_SIZE),
  queueLengthLimit: orDefault(queueLengthLimit, QUEUE_LENGTH),
});

const orDefault = (value: number | undefined, instead: number): number => (value === undefined || value === 0 ? instead : value);
