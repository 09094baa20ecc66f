/** Rules for node ranges: who allocates them, from which range, and how they fit into it. */
import { isComponent } from '../config-document.ts';
import type { ComponentDocument } from '../config-document.ts';
import { controllerDecider } from '../controllers/enabled-controllers.ts';
import { controllerNamed } from '../kinds/controllers-of.ts';
import { CLUSTER_CIDR, clusterRanges } from './cluster-ranges.ts';
import type { Finding, ConfigRule } from './rule.ts';

const ALLOCATE = 'ClusterCloudShared.AllocateNodeCIDRs';
const ALLOCATOR = 'ClusterCloudShared.CIDRAllocatorType';
const ROUTES = 'ClusterCloudShared.ConfigureCloudRoutes';
const CONTROLLERS = 'Generic.Controllers';
const IPAM = 'NodeIPAMController';
const MASK = `${IPAM}.NodeCIDRMaskSize`;
const MASK_OF = { IPv4: `${MASK}IPv4`, IPv6: `${MASK}IPv6` } as const;

/** The effective mask size if it is 0. */
const DEFAULT_MASK = { IPv4: 24, IPv6: 64 } as const;
/** The maximum number of bits that an IPv6 range is divided by. */
const MAX_NODE_BITS_IPV6 = 16;

const RANGE_ALLOCATOR = 'RangeAllocator';
const CLOUD_ALLOCATOR = 'CloudAllocator';
const ALLOCATORS: readonly string[] = [RANGE_ALLOCATOR, CLOUD_ALLOCATOR, 'IPAMFromCluster', 'IPAMFromCloud'];

const runs = (document: ComponentDocument, name: string): boolean => {
  const controller = controllerNamed(document.kind, name);
  return controller !== undefined && controllerDecider(document)(controller).runs;
};

const rangeToAllocate: ConfigRule = (document, report) => {
  if (!isComponent(document)) return;
  const { AllocateNodeCIDRs, CIDRAllocatorType, ClusterCIDR } = document.config.ClusterCloudShared;
  if (!AllocateNodeCIDRs || ClusterCIDR.trim() !== '') return;
  const missing: Finding = {
    path: CLUSTER_CIDR,
    relatedPaths: [ALLOCATE, ALLOCATOR, ROUTES, CONTROLLERS],
    reason: 'Missing',
    message: 'must be set while AllocateNodeCIDRs is true',
  };
  if (document.kind === 'ClusterControllerManagerConfiguration') {
    if (CIDRAllocatorType !== CLOUD_ALLOCATOR && runs(document, 'node-ipam-controller')) report(missing);
  } else if (runs(document, 'node-route-controller')) {
    // If the provider has no routes, the controller does not start and needs no range.
    report({ ...missing, severity: 'warning', message: 'should be set while AllocateNodeCIDRs and ConfigureCloudRoutes are true' });
  }
};

/** Components of cloud providers may still have the other allocators. */
const availableAllocator: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { CIDRAllocatorType } = document.config.ClusterCloudShared;
  if (CIDRAllocatorType === RANGE_ALLOCATOR || !ALLOCATORS.includes(CIDRAllocatorType)) return;
  const message = `must be ${RANGE_ALLOCATOR} in current releases, which have no built-in cloud provider, not ${CIDRAllocatorType}`;
  report({ path: ALLOCATOR, severity: 'warning', reason: 'Unavailable', message });
};

const rangesKnownToCloud: ConfigRule = (document, report, { changed }) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { AllocateNodeCIDRs, CIDRAllocatorType } = document.config.ClusterCloudShared;
  // Without allocation none of these settings has an effect, which is reported separately.
  if (!AllocateNodeCIDRs || CIDRAllocatorType !== CLOUD_ALLOCATOR) return;
  for (const { path } of changed) {
    if (path !== CLUSTER_CIDR && !path.startsWith(MASK)) continue;
    const message = `has no effect with ${CLOUD_ALLOCATOR}: the cloud knows the ranges`;
    report({ path, relatedPaths: [ALLOCATE, ALLOCATOR], severity: 'warning', reason: 'NoEffect', message });
  }
};

/** The families of ClusterCIDR decide which of the three mask sizes may be set. */
const masksMatchFamilies: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { NodeCIDRMaskSize, NodeCIDRMaskSizeIPv4, NodeCIDRMaskSizeIPv6 } = document.config.NodeIPAMController;
  const [first, second] = clusterRanges(document);
  if (first === undefined) return;
  const misplaced = (path: string, message: string) => report({ path, relatedPaths: [CLUSTER_CIDR], reason: 'MaskSize', message });
  if (second !== undefined) {
    if (NodeCIDRMaskSize !== 0)
      misplaced(MASK, 'must not be set with two cluster ranges; NodeCIDRMaskSizeIPv4 and NodeCIDRMaskSizeIPv6 are');
    return;
  }
  for (const [family, size] of [
    ['IPv4', NodeCIDRMaskSizeIPv4],
    ['IPv6', NodeCIDRMaskSizeIPv6],
  ] as const) {
    if (size === 0) continue;
    if (family !== first.family) misplaced(MASK_OF[family], `must not be set: ClusterCIDR, ${first.network}, is of ${first.family}`);
    else if (NodeCIDRMaskSize !== 0) misplaced(MASK_OF[family], 'must not be set together with NodeCIDRMaskSize');
  }
};

const masksWithinRanges: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const ipam = document.config.NodeIPAMController;
  const ranges = clusterRanges(document);
  for (const { family, prefixLength, network } of ranges) {
    const own = ipam[`NodeCIDRMaskSize${family}`];
    const usesCommon = ranges.length === 1 && own === 0 && ipam.NodeCIDRMaskSize !== 0;
    const path = usesCommon ? MASK : MASK_OF[family];
    const size = (usesCommon ? ipam.NodeCIDRMaskSize : own) || DEFAULT_MASK[family];
    // Bounds cover sizes above the maximum of a family, except for the size without a family.
    if (usesCommon && family === 'IPv4' && size > 32) {
      report({ path, relatedPaths: [CLUSTER_CIDR], reason: 'MaskSize', message: `must be 32 or less for IPv4, not ${size}` });
      continue;
    }
    // Without allocation nothing is divided, so a default is not an error.
    if (!document.isSet(path) && !document.config.ClusterCloudShared.AllocateNodeCIDRs) continue;
    const what = document.isSet(path) ? String(size) : `the default, ${size}`;
    if (size < prefixLength) {
      const message = `must be ${prefixLength} or more within ${network}, not ${what}`;
      report({ path, relatedPaths: [CLUSTER_CIDR], reason: 'MaskSize', message });
    } else if (family === 'IPv6' && size > prefixLength + MAX_NODE_BITS_IPV6) {
      const message = `must be at most ${MAX_NODE_BITS_IPV6} more than that of ${network}, ${prefixLength + MAX_NODE_BITS_IPV6}, not ${what}`;
      report({ path, relatedPaths: [CLUSTER_CIDR], reason: 'MaskSize', message });
    }
  }
};

export const NODE_RANGES: readonly ConfigRule[] = [
  rangeToAllocate,
  availableAllocator,
  rangesKnownToCloud,
  masksMatchFamilies,
  masksWithinRanges,
];
