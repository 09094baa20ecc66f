/** The rules of requests and limits of containers and pods: names, amounts, and their relation. */
import { checkDnsLabel, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { compareQuantityTexts, isWholeQuantityText } from '../../../../apimachinery/quantity/quantity-texts.ts';
import { isWholeQuantity, parseQuantity, wholeUnits } from '../../../../apimachinery/quantity/quantity.ts';
import {
  causesOfEach,
  duplicateValue,
  forbidden,
  invalidValue,
  NO_CAUSES,
  notFoundValue,
  notSupported,
  required,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { optionalNameCauses } from '../../../meta/v1/name-causes.ts';
import type { ResourceClaim, ResourceRequirements } from '../types.gen.ts';

/** The owner of the resources: fewer resources are allowed at pod level. */
type ResourceOwner = 'container' | 'pod';

type ResourceList = Readonly<Record<string, string>>;

const HUGE_PAGES = 'hugepages-';
const COMPUTE: ReadonlySet<string> = new Set(['cpu', 'memory']);
const OF_CONTAINERS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** Resources counted by quotas; always integers. */
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Names without a domain that Kubernetes knows anywhere. */
const STANDARD: ReadonlySet<string> = new Set([
  ...OF_CONTAINERS,
  ...COUNTED,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
/** Its quota is named `requests.<name>`, which must be a valid name too. */
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && checkQualifiedName(`requests.${name}`).length === 0;
/** Whether the limit may exceed the request. */
const allowsOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

/** `claims`: names in the pod's `resourceClaims`. Also used for the pod's `overhead`, as limits with its path. */
export function validateResourceRequirements(
  requirements: Unchecked<ResourceRequirements> | undefined,
  path: FieldPath,
  claims: ReadonlySet<string>,
  owner: ResourceOwner = 'container',
): readonly StatusCause[] {
  if (requirements === undefined) return NO_CAUSES;
  const { limits, requests, claims: claimed } = requirements;
  if (limits === undefined && requests === undefined && claimed === undefined) return NO_CAUSES;
  return [
    ...(limits === undefined ? NO_CAUSES : validateResourceList(limits, path.child('limits'), owner)),
    ...(requests === undefined ? NO_CAUSES : validateResourceList(requests, path.child('requests'), owner)),
    ...(requests === undefined ? NO_CAUSES : fitCauses(requests, limits, path)),
    ...hugePagesCauses(limits, requests, path),
    ...(claimed === undefined ? NO_CAUSES : claimCauses(claimed, path.child('claims'), claims)),
  ];
}

/** Checks each name and amount individually. Amounts are canonical. */
function validateResourceList(
  list: Readonly<Record<string, string | undefined>>,
  path: FieldPath,
  owner: ResourceOwner = 'container',
): readonly StatusCause[] {
  return causesOfEach(Object.keys(list), (name) => {
    const amount = list[name] ?? '0';
    if (COMPUTE.has(name) && !amount.startsWith('-')) return NO_CAUSES;
    const at = path.key(name);
    return [...resourceNameCauses(name, at, owner), ...amountCauses(name, amount, at)];
  });
}

function resourceNameCauses(name: string, path: FieldPath, owner: ResourceOwner): readonly StatusCause[] {
  if (COMPUTE.has(name) || (owner === 'container' && isExtended(name))) return NO_CAUSES;
  const causes = checkQualifiedName(name).map((why) => invalidValue(path, name, why));
  const hasDomain = name.includes('/');
  if (causes.length === 0 && !hasDomain && !STANDARD.has(name) && !isHugePages(name) && !name.startsWith(`requests.${HUGE_PAGES}`)) {
    causes.push(invalidValue(path, name, 'must be a standard resource type or fully qualified'));
  }
  if (owner === 'pod') {
    return causes.length > 0 || isHugePages(name) ? causes : [notSupported(path, name, ['cpu', HUGE_PAGES, 'memory'])];
  }
  if (!hasDomain && !OF_CONTAINERS.has(name) && !isHugePages(name)) {
    causes.push(invalidValue(path, name, 'must be a standard resource for containers'));
  }
  if (!isNative(name)) {
    causes.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  }
  return causes;
}

function amountCauses(name: string, amount: string, path: FieldPath): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if (amount.startsWith('-')) causes.push(invalidValue(path, amount, 'must be greater than or equal to 0'));
  if (!isWholeQuantityText(amount) && (COUNTED.has(name) || isExtended(name))) {
    causes.push(invalidValue(path, amount, 'must be an integer'));
  }
  if (isHugePages(name) && !isMultipleOfPage(amount, name)) {
    causes.push(invalidValue(path, amount, `${amount} is not positive integer multiple of ${name}`));
  }
  return causes;
}

function isMultipleOfPage(amount: string, name: string): boolean {
  const page = parseQuantity(name.slice(HUGE_PAGES.length));
  const quantity = parseQuantity(amount);
  if (page === undefined || quantity === undefined || page.nanos <= 0n || !isWholeQuantity(page)) return false;
  return wholeUnits(quantity) % wholeUnits(page) === 0n;
}

/** A request must not exceed its limit, and must equal it if the resource cannot be overcommitted. */
function fitCauses(requests: ResourceList, limits: ResourceList | undefined, path: FieldPath): readonly StatusCause[] {
  return causesOfEach(Object.keys(requests), (name) => {
    const request = requests[name] ?? '0';
    // A resource may have the name of an inherited member, such as `constructor`.
    const limit = limits !== undefined && Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined) {
      return allowsOvercommit(name) ? NO_CAUSES : [required(path.child('limits'), 'Limit must be set for non overcommitable resources')];
    }
    const order = compareQuantityTexts(request, limit) ?? 0;
    if (order === 0 || (order < 0 && allowsOvercommit(name))) return NO_CAUSES;
    const relation = allowsOvercommit(name) ? 'less than or equal' : 'equal';
    return [invalidValue(path.child('requests'), request, `must be ${relation} to ${name} limit of ${limit}`)];
  });
}

function hugePagesCauses(limits: ResourceList | undefined, requests: ResourceList | undefined, path: FieldPath): readonly StatusCause[] {
  const isNamed = (matches: (name: string) => boolean) => hasName(limits, matches) || hasName(requests, matches);
  return isNamed(isHugePages) && !isNamed((name) => COMPUTE.has(name)) ? [forbidden(path, 'HugePages require cpu or memory')] : NO_CAUSES;
}

const hasName = (list: ResourceList | undefined, matches: (name: string) => boolean): boolean =>
  list !== undefined && Object.keys(list).some(matches);

const oneOf = (claims: ReadonlySet<string>): string =>
  `must be one of the names in pod.spec.resourceClaims${claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`}`;

/** Refers to a whole claim or to requests of it, each at most once. */
function claimCauses(claimed: readonly Unchecked<ResourceClaim>[], path: FieldPath, claims: ReadonlySet<string>): readonly StatusCause[] {
  const whole = new Set<string>();
  const requested = new Set<string>();
  const inPart = new Set<string>();
  return causesOfEach(claimed, ({ name = '', request = '' }, index) => {
    const at = path.index(index);
    if (name === '') return [required(at)];
    const key = `${name}/${request}`;
    const isTwice = whole.has(name) || (request === '' ? inPart.has(name) : requested.has(key));
    if (request === '') whole.add(name);
    else {
      inPart.add(name);
      requested.add(key);
    }
    return [
      ...optionalNameCauses(request, at, 'request', checkDnsLabel),
      ...(isTwice ? [duplicateValue(at, request === '' ? name : key)] : NO_CAUSES),
      ...(claims.has(name) ? NO_CAUSES : [notFoundValue(at, name, oneOf(claims))]),
    ];
  });
}
