/** The rules of pod-level resources and overhead. */
import { parseQuantity } from '../../../../apimachinery/quantity/quantity.ts';
import { causesOfElements, causesOfEach, forbidden, invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { validateResourceRequirements } from '../containers/resources.ts';
import type { PodSpec, ResourceRequirements } from '../types.gen.ts';

const HUGE_PAGES = 'hugepages-';
const NO_CLAIMS: ReadonlySet<string> = new Set();

/** `path`: that of the pod's spec. */
export function validatePodResources(spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const { resources, overhead } = spec;
  if (resources === undefined && overhead === undefined) return NO_CAUSES;
  return [
    ...(resources === undefined ? NO_CAUSES : resourcesCauses(resources, spec, path.child('resources'))),
    // Checked as limits, so the causes have the path `overhead.limits`.
    ...(overhead === undefined ? NO_CAUSES : validateResourceRequirements({ limits: overhead }, path.child('overhead'), NO_CLAIMS)),
  ];
}

function resourcesCauses(resources: Unchecked<ResourceRequirements>, spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  if (spec.os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  const { claims, limits, requests } = resources;
  return [
    ...(claims === undefined ? NO_CAUSES : [forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level')]),
    ...validateResourceRequirements(resources, path, new Set(claimNames(spec)), 'pod'),
    ...(requests === undefined ? NO_CAUSES : totalCauses(requests, totalOf(spec, 'requests'), 'requests', path.child('requests'))),
    ...(limits === undefined ? NO_CAUSES : limitCauses(limits, spec, path)),
  ];
}

const claimNames = ({ resourceClaims = [] }: Unchecked<PodSpec>): readonly string[] =>
  resourceClaims.flatMap(({ name = '' }) => (name === '' ? [] : [name]));

type QuantityMap = Readonly<Record<string, string>>;
/** In billionths. */
type Totals = Map<string, bigint>;

const nanosOf = (amount: string | undefined): bigint => (amount === undefined ? 0n : (parseQuantity(amount)?.nanos ?? 0n));
const textOf = (nanos: bigint): string => parseQuantity(`${nanos}n`)?.canonical ?? `${nanos}n`;
const ownAmount = (amounts: QuantityMap, name: string): string | undefined => (Object.hasOwn(amounts, name) ? amounts[name] : undefined);

/** The containers must not need more in total than the pod has. */
const totalCauses = (ofPod: QuantityMap, totals: Totals, word: 'requests' | 'limits', path: FieldPath): readonly StatusCause[] =>
  causesOfEach(totals, ([name, total]) => {
    const amount = ownAmount(ofPod, name);
    if (amount === undefined || total <= nanosOf(amount)) return NO_CAUSES;
    return [invalidValue(path.key(name), amount, `must be greater than or equal to aggregate container ${word} of ${textOf(total)}`)];
  });

function limitCauses(limits: QuantityMap, spec: Unchecked<PodSpec>, path: FieldPath): readonly StatusCause[] {
  const ofHugePages = Object.keys(limits).some((name) => name.startsWith(HUGE_PAGES))
    ? new Map([...totalOf(spec, 'limits')].filter(([name]) => name.startsWith(HUGE_PAGES)))
    : new Map<string, bigint>();
  return [
    ...totalCauses(limits, ofHugePages, 'limits', path.child('limits')),
    ...causesOfElements(path.child('containers'), spec.containers, ({ resources }, at) =>
      causesOfEach(Object.entries(resources?.limits ?? {}), ([name, amount]) => {
        const limit = ownAmount(limits, name);
        if (limit === undefined || nanosOf(amount) <= nanosOf(limit)) return NO_CAUSES;
        // The path is the same as in Kubernetes.
        return [invalidValue(at.key(name).child('limits'), amount, `must be less than or equal to pod limits of ${limit}`)];
      }),
    ),
  ];
}

/**
 * Containers run at the same time as all sidecars. Init containers run one after another, each beside the sidecars
 * started before it. The total includes the sidecars, so an init container can only raise resources that it lists.
 */
function totalOf({ containers = [], initContainers = [] }: Unchecked<PodSpec>, list: 'requests' | 'limits'): Totals {
  const total: Totals = new Map();
  const kept: Totals = new Map();
  const highest: Totals = new Map();
  for (const { resources } of containers) add(total, resources?.[list]);
  for (const { resources, restartPolicy } of initContainers) {
    if (restartPolicy === 'Always') {
      add(total, resources?.[list]);
      add(kept, resources?.[list]);
    } else {
      for (const [name, amount] of Object.entries(resources?.[list] ?? {})) raise(highest, name, (kept.get(name) ?? 0n) + nanosOf(amount));
    }
  }
  for (const [name, amount] of highest) raise(total, name, amount);
  return total;
}

function add(totals: Totals, amounts: QuantityMap = {}): void {
  for (const [name, amount] of Object.entries(amounts)) totals.set(name, (totals.get(name) ?? 0n) + nanosOf(amount));
}

function raise(totals: Totals, name: string, to: bigint): void {
  if (to > (totals.get(name) ?? -1n)) totals.set(name, to);
}
