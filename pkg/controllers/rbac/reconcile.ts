/** What a stored role or binding needs to have all that the bootstrap policy gives it. Nothing is taken away. */
import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '../../apis/kind.ts';
import type { AggregationRule } from '../../apis/rbac/v1/clusterroles/types.gen.ts';
import { uncoveredRules } from '../../authorization/rbac/covers.ts';
import { AUTO_UPDATE, type BootstrapBinding, type BootstrapRole } from './bootstrap-policy.ts';

/** Whether its owner wants it to stay as it is. */
export const isProtected = ({ annotations }: ObjectMeta, groupSuffix: string): boolean =>
  [AUTO_UPDATE, `rbac.authorization.${groupSuffix}/autoupdate`].some((key) => annotations?.[key] === 'false');

/** Undefined: nothing is missing. */
export function reconcileRole(stored: BootstrapRole, expected: BootstrapRole): BootstrapRole | undefined {
  const rules = [
    ...(stored.rules ?? []),
    ...(uncoveredRules(stored.rules ?? [], expected.rules ?? []) as NonNullable<BootstrapRole['rules']>),
  ];
  const reconciled: BootstrapRole = {
    ...stored,
    metadata: withExpected(stored.metadata, expected.metadata),
    ...(rules.length === 0 ? {} : { rules }),
    ...aggregated(stored.aggregationRule, expected.aggregationRule),
  };
  return isDeepStrictEqual(reconciled, stored) ? undefined : reconciled;
}

/** Undefined: nothing is missing. The role of a binding cannot change: the caller compares it. */
export function reconcileBinding(stored: BootstrapBinding, expected: BootstrapBinding): BootstrapBinding | undefined {
  const { subjects = [] } = stored;
  const missing = (expected.subjects ?? []).filter((subject) => !subjects.some((each) => isDeepStrictEqual(each, subject)));
  const reconciled: BootstrapBinding = {
    ...stored,
    metadata: withExpected(stored.metadata, expected.metadata),
    ...(missing.length === 0 ? {} : { subjects: [...subjects, ...missing] }),
  };
  return isDeepStrictEqual(reconciled, stored) ? undefined : reconciled;
}

const withExpected = (stored: ObjectMeta, { labels, annotations }: ObjectMeta): ObjectMeta => ({
  ...stored,
  labels: { ...labels, ...stored.labels },
  annotations: { ...annotations, ...stored.annotations },
});

function aggregated(stored: AggregationRule | undefined, expected: AggregationRule | undefined): Pick<BootstrapRole, 'aggregationRule'> {
  if (expected === undefined) return stored === undefined ? {} : ({ aggregationRule: undefined } as object);
  const selectors = stored?.clusterRoleSelectors ?? [];
  const missing = (expected.clusterRoleSelectors ?? []).filter((selector) => !selectors.some((each) => isDeepStrictEqual(each, selector)));
  return { aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
}
