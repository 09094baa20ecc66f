/** The rules of the downward API: fields of the pod (`fieldRef`) and resources of a container (`resourceFieldRef`). */
import { checkAnnotationKey, checkQualifiedName } from '../../../apimachinery/meta/names.ts';
import { invalidValue, NO_CAUSES, notSupported, required } from '../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { nameCauses } from '../../meta/v1/name-causes.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './types.gen.ts';

/** Known fields of a pod; `FIELDS_OF` has those allowed in each place. */
const FIELDS: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);

/** In the order of the list in the cause. */
const FIELDS_OF: Readonly<Record<'env' | 'volume', readonly string[]>> = {
  env: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
  ],
  volume: ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
};

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/;
const CPU_DIVISORS: ReadonlySet<string> = new Set(['1m', '1']);
const BYTE_DIVISORS: ReadonlySet<string> = new Set(['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']);

/** `path`: that of the fieldRef itself. */
export function validateFieldRef(ref: Unchecked<ObjectFieldSelector>, path: FieldPath, kind: 'env' | 'volume'): readonly StatusCause[] {
  const { apiVersion = '', fieldPath = '' } = ref;
  if (apiVersion === '') return [required(path.child('apiVersion'))];
  if (fieldPath === '') return [required(path.child('fieldPath'))];
  if (FIELDS_OF[kind].includes(fieldPath) && apiVersion === 'v1') return NO_CAUSES;
  const unknown = (why: string): readonly StatusCause[] => [
    invalidValue(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== 'v1') return unknown(`unsupported pod version: ${apiVersion}`);
  const entry = entryOf(fieldPath);
  if (entry !== undefined) {
    if (entry.map === 'metadata.labels') return nameCauses(entry.key, path, checkQualifiedName);
    if (entry.map === 'metadata.annotations') return nameCauses(entry.key, path, checkAnnotationKey);
    return unknown(`field label does not support subscript: ${fieldPath}`);
  }
  // The original name of spec.nodeName.
  const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!FIELDS.has(field)) return unknown(`field label not supported: ${fieldPath}`);
  return FIELDS_OF[kind].includes(field) ? NO_CAUSES : [notSupported(path.child('fieldPath'), field, FIELDS_OF[kind])];
}

/** Parses a map entry such as `metadata.labels['app']`. */
function entryOf(fieldPath: string): { readonly map: string; readonly key: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.indexOf("['");
  return start <= 0 || start > fieldPath.length - 4 ? undefined : { map: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

/** `path`: that of the resourceFieldRef. `needsContainer`: true in a volume, which has no implicit container. */
export function validateResourceFieldRef(
  ref: Unchecked<ResourceFieldSelector>,
  path: FieldPath,
  needsContainer: boolean,
): readonly StatusCause[] {
  const { containerName = '', resource = '', divisor = '' } = ref;
  const ofDivisor = divisorCauses(resource, divisor, path);
  if (needsContainer && containerName === '') return [required(path.child('containerName')), ...ofDivisor];
  if (resource === '') return [required(path.child('resource')), ...ofDivisor];
  if (RESOURCES.includes(resource) || HUGE_PAGES.test(resource)) return ofDivisor;
  return [notSupported(path.child('resource'), resource, RESOURCES), ...ofDivisor];
}

function divisorCauses(resource: string, divisor: string, path: FieldPath): readonly StatusCause[] {
  if (divisor === '' || divisor === '0') return NO_CAUSES;
  const divisors = divisorsOf(resource);
  if (divisors === undefined || divisors.has(divisor)) return NO_CAUSES;
  const detail = `only ${[...divisors].join(', ')} are supported as divisors of ${resource}`;
  return [invalidValue(path.child('divisor'), divisor, detail)];
}

function divisorsOf(resource: string): ReadonlySet<string> | undefined {
  if (resource === 'limits.cpu' || resource === 'requests.cpu') return CPU_DIVISORS;
  return RESOURCES.includes(resource) || HUGE_PAGES.test(resource) ? BYTE_DIVISORS : undefined;
}
