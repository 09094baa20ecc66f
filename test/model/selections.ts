/** What requests select, drawn at random, written as a query, and decided without the server's own code. */
import fc from 'fast-check';
import type { ApiObject } from '../support/api-object.ts';
import type { Matches } from './object-history.ts';
import type { Draft, ModelKind } from './model-kinds.ts';

export const TIERS = ['web', 'db'] as const;
export const NAMES = ['a', 'a-b', 'a.b', 'ab', 'b'] as const;

type Tier = { readonly is: 'equal' | 'other' | 'in'; readonly tier: string } | { readonly is: 'present' | 'absent' };

export interface ModelSelection {
  /** Which of the two namespaces; absent: both, and more. */
  readonly space?: 0 | 1;
  readonly tier?: Tier;
  readonly urgent?: boolean;
  readonly name?: string;
}

/** Given once in so many times. */
const sometimes = <T>(times: number, values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });

/** Mostly wide: a selection of nothing shows no fault. */
export const selections: fc.Arbitrary<ModelSelection> = fc
  .record({
    space: fc.constantFrom(0 as const, 0 as const, 1 as const, undefined, undefined),
    tier: sometimes(
      3,
      fc.oneof(
        fc.record({ is: fc.constantFrom('equal' as const, 'other' as const, 'in' as const), tier: fc.constantFrom(...TIERS) }),
        fc.record({ is: fc.constantFrom('present' as const, 'absent' as const) }),
      ),
    ),
    urgent: sometimes(4, fc.boolean()),
    name: sometimes(6, fc.constantFrom(...NAMES)),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

/** `run`: the label that all objects of one history have, and no others. */
export const toMatches =
  ({ space, tier, urgent, name }: ModelSelection, kind: ModelKind, spaces: readonly [string, string]): Matches =>
  ({ metadata, ...rest }: ApiObject) =>
    (space === undefined || metadata.namespace === spaces[space]) &&
    (tier === undefined || matchesTier(tier, metadata.labels?.['tier'])) &&
    (urgent === undefined || kind.urgentField === undefined || kind.isUrgent(rest) === urgent) &&
    (name === undefined || metadata.name === name);

function matchesTier(tier: Tier, value: string | undefined): boolean {
  switch (tier.is) {
    case 'equal':
    case 'in':
      return value === tier.tier;
    case 'other':
      return value !== tier.tier;
    case 'present':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    default:
      return tier satisfies never;
  }
}

/** Parameters that say it. Across namespaces the label `run` keeps other histories out. */
export function toParameters({ space, tier, urgent, name }: ModelSelection, kind: ModelKind, run: string): Record<string, string> {
  const labels = [...(space === undefined ? [`run=${run}`] : []), ...(tier === undefined ? [] : [tierText(tier)])];
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(urgent === undefined || kind.urgentField === undefined ? [] : [kind.urgentField(urgent)]),
  ];
  return {
    ...(labels.length === 0 ? {} : { labelSelector: labels.join(',') }),
    ...(fields.length === 0 ? {} : { fieldSelector: fields.join(',') }),
  };
}

function tierText(tier: Tier): string {
  switch (tier.is) {
    case 'equal':
      return `tier=${tier.tier}`;
    case 'in':
      return `tier in (none,${tier.tier})`;
    case 'other':
      return `tier!=${tier.tier}`;
    case 'present':
      return 'tier';
    case 'absent':
      return '!tier';
    default:
      return tier satisfies never;
  }
}

/** An object that is selected. */
export function selectedDraft({ space = 0, tier, urgent = false, name = 'b' }: ModelSelection): Draft & { space: 0 | 1; name: string } {
  return { space, name, tier: tier && selectedTier(tier), urgent, held: false };
}

function selectedTier(tier: Tier): string | undefined {
  switch (tier.is) {
    case 'equal':
    case 'in':
      return tier.tier;
    case 'other':
      return TIERS.find((each) => each !== tier.tier);
    case 'present':
      return TIERS[0];
    case 'absent':
      return undefined;
    default:
      return tier satisfies never;
  }
}
