import { forbidden, invalidValue, invalidWord, NO_CAUSES, notSupported, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from './types.gen.ts';

const TYPES = ['Exempt', 'Limited'];
const RESPONSES = ['Queue', 'Reject'];
const MAX_QUEUES = 10_000_000;
const MAX_PERCENT = 100;
/** Bits of a flow's hash that choose its queues. */
const MAX_HASH_BITS = 60;
const NOT_NEGATIVE = 'must be a non-negative integer';

export function specCauses(name: string, spec: Unchecked<PriorityLevelConfigurationSpec>, path: FieldPath): readonly StatusCause[] {
  const { type = '' } = spec;
  const typePath = path.child('type');
  const isWrongName = (name === 'exempt') !== (type === 'Exempt');
  return [
    ...(isWrongName ? [invalidWord(typePath, type, "must be 'Exempt' if and only if `name` is 'exempt'")] : []),
    ...memberCauses(spec, path, typePath),
  ];
}

function memberCauses({ type = '', limited, exempt }: Unchecked<PriorityLevelConfigurationSpec>, path: FieldPath, typePath: FieldPath) {
  switch (type) {
    case 'Exempt':
      return [
        ...(limited === undefined ? [] : [forbidden(path.child('limited'), 'must be nil if the type is not Limited')]),
        ...(exempt === undefined ? [] : exemptCauses(exempt, path.child('exempt'))),
      ];
    case 'Limited':
      return [
        ...(exempt === undefined ? [] : [forbidden(path.child('exempt'), 'must be nil if the type is Limited')]),
        ...(limited === undefined
          ? [required(path.child('limited'), 'must not be empty when type is Limited')]
          : limitedCauses(limited, path.child('limited'))),
      ];
    case '':
      return [required(typePath)];
    default:
      return [notSupported(typePath, type, TYPES)];
  }
}

const exemptCauses = (exempt: Unchecked<ExemptPriorityLevelConfiguration>, path: FieldPath): readonly StatusCause[] => [
  ...sharesCauses(exempt.nominalConcurrencyShares, path),
  ...lendableCauses(exempt.lendablePercent, path),
];

function limitedCauses(limited: Unchecked<LimitedPriorityLevelConfiguration>, path: FieldPath): readonly StatusCause[] {
  const { nominalConcurrencyShares, limitResponse = {}, lendablePercent, borrowingLimitPercent } = limited;
  return [
    ...sharesCauses(nominalConcurrencyShares, path),
    ...responseCauses(limitResponse, path.child('limitResponse')),
    ...lendableCauses(lendablePercent, path),
    ...(borrowingLimitPercent !== undefined && borrowingLimitPercent < 0
      ? [invalidValue(path.child('borrowingLimitPercent'), borrowingLimitPercent, `if specified, ${NOT_NEGATIVE}`)]
      : []),
  ];
}

const sharesCauses = (shares: number | undefined, path: FieldPath): readonly StatusCause[] =>
  shares !== undefined && shares < 0 ? [invalidValue(path.child('nominalConcurrencyShares'), shares, NOT_NEGATIVE)] : NO_CAUSES;

const lendableCauses = (percent: number | undefined, path: FieldPath): readonly StatusCause[] =>
  percent !== undefined && (percent < 0 || percent > MAX_PERCENT)
    ? [invalidValue(path.child('lendablePercent'), percent, `must be between 0 and ${MAX_PERCENT}, inclusive`)]
    : NO_CAUSES;

function responseCauses({ type = '', queuing }: Unchecked<LimitResponse>, path: FieldPath): readonly StatusCause[] {
  const queuingPath = path.child('queuing');
  switch (type) {
    case 'Reject':
      return queuing === undefined ? [] : [forbidden(queuingPath, 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      return queuing === undefined
        ? [required(queuingPath, 'must not be empty if limited.limitResponse.type is Limited')]
        : queuingCauses(queuing, queuingPath);
    case '':
      return [required(path.child('type'))];
    default:
      return [notSupported(path.child('type'), type, RESPONSES)];
  }
}

function queuingCauses(queuing: Unchecked<QueuingConfiguration>, path: FieldPath): readonly StatusCause[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const queuesPath = path.child('queues');
  const wrongHand = wrongHandSize(queues, handSize);
  return [
    ...(queueLengthLimit <= 0 ? [invalidValue(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive')] : []),
    ...(queues <= 0 ? [invalidValue(queuesPath, queues, 'must be positive')] : []),
    ...(queues > MAX_QUEUES ? [invalidValue(queuesPath, queues, `must not be greater than ${MAX_QUEUES}`)] : []),
    ...(wrongHand === undefined ? [] : [invalidValue(path.child('handSize'), handSize, wrongHand)]),
  ];
}

function wrongHandSize(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= MAX_HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
}
