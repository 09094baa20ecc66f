/** Addresses, ranges, and how nodes' ranges fit into them. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigDocument, ConfigDocumentOf } from '../config-document.ts';
import type { Cidr } from './cidr.ts';
import { isAddress, parseCidr } from './cidr.ts';
import { documentFields } from './document-fields.ts';
import type { Rule } from './rule.ts';

const CLUSTER_CIDR = 'ClusterCloudShared.ClusterCIDR';
const ALLOCATE = 'ClusterCloudShared.AllocateNodeCIDRs';
const IPAM = 'NodeIPAMController';
const SERVICE = `${IPAM}.ServiceCIDR`;
const SECONDARY = `${IPAM}.SecondaryServiceCIDR`;
const MASK = `${IPAM}.NodeCIDRMaskSize`;
const MASK_OF = { IPv4: `${MASK}IPv4`, IPv6: `${MASK}IPv6` } as const;

/** What a mask size of 0 stands for. */
const DEFAULT_MASK = { IPv4: 24, IPv6: 64 } as const;
/** An IPv6 range is divided into so many bits of nodes at most. */
const MAX_NODE_BITS_IPV6 = 16;

const addressesAndRanges: Rule = (document, report) => {
  for (const { path, field, value } of documentFields(document)) {
    if (typeof value !== 'string' || value === '') continue;
    if (field.format === 'ip' && !isAddress(value)) {
      report({ path, reason: 'InvalidAddress', message: `must be an IP address without a port, not ${quotedText(value)}` });
    }
    if (field.format !== 'cidr' && field.format !== 'cidr-pair') continue;
    const texts = field.format === 'cidr-pair' ? value.trim().split(',') : [value];
    for (const text of texts) {
      const range = parseCidr(text);
      if (range === undefined) {
        report({ path, reason: 'InvalidCIDR', message: `${quotedText(text)} is no range such as 10.244.0.0/16 or fd00:10:244::/56` });
      } else if (range.hasHostBits) {
        report({ path, severity: 'warning', reason: 'HostBits', message: `${text} stands for ${range.network}` });
      }
    }
  }
};

/** At most two, one of each family. */
const dualStackCluster: Rule = (document, report) => {
  if (document.kind === 'LeaderMigrationConfiguration') return;
  const texts = document.config.ClusterCloudShared.ClusterCIDR.trim().split(',');
  if (texts.length > 2) {
    report({ path: CLUSTER_CIDR, reason: 'DualStack', message: `must be one range, or two of different families, not ${texts.length}` });
  }
  const [first, second] = clusterRanges(document);
  if (texts.length === 2 && first !== undefined && first.family === second?.family) {
    report({ path: CLUSTER_CIDR, reason: 'DualStack', message: `must be of different families, but both are of ${first.family}` });
  }
};

const dualStackServices: Rule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { ServiceCIDR, SecondaryServiceCIDR } = document.config.NodeIPAMController;
  if (SecondaryServiceCIDR !== '' && ServiceCIDR === '') {
    report({
      path: SECONDARY,
      about: [SERVICE],
      reason: 'DualStack',
      message: 'is the second range of services, but there is no first, ServiceCIDR',
    });
  }
  const [first, second] = [parseCidr(ServiceCIDR), parseCidr(SecondaryServiceCIDR)];
  if (first !== undefined && first.family === second?.family) {
    report({
      path: SECONDARY,
      about: [SERVICE],
      reason: 'DualStack',
      message: `must be of the other family than ServiceCIDR, ${ServiceCIDR}, but both are of ${first.family}`,
    });
  }
};

const rangeToAllocate: Rule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { AllocateNodeCIDRs, CIDRAllocatorType, ClusterCIDR } = document.config.ClusterCloudShared;
  if (!AllocateNodeCIDRs || CIDRAllocatorType !== 'RangeAllocator' || ClusterCIDR.trim() !== '') return;
  report({ path: CLUSTER_CIDR, about: [ALLOCATE], reason: 'Missing', message: 'must be set while AllocateNodeCIDRs is true' });
};

/** Which of the three mask sizes may be set at all depends on the families of ClusterCIDR. */
const masksOfFamilies: Rule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { NodeCIDRMaskSize, NodeCIDRMaskSizeIPv4, NodeCIDRMaskSizeIPv6 } = document.config.NodeIPAMController;
  const [first, second] = clusterRanges(document);
  if (first === undefined) return;
  const misplaced = (path: string, message: string) => report({ path, about: [CLUSTER_CIDR], reason: 'MaskSize', message });
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

const masksWithinRanges: Rule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const ipam = document.config.NodeIPAMController;
  const ranges = clusterRanges(document);
  for (const { family, prefixLength, network } of ranges) {
    const own = ipam[`NodeCIDRMaskSize${family}`];
    const usesCommon = ranges.length === 1 && own === 0 && ipam.NodeCIDRMaskSize !== 0;
    const path = usesCommon ? MASK : MASK_OF[family];
    const size = (usesCommon ? ipam.NodeCIDRMaskSize : own) || DEFAULT_MASK[family];
    // What is larger than any of its family is out of bounds, but for the size without one.
    if (usesCommon && family === 'IPv4' && size > 32) {
      report({ path, about: [CLUSTER_CIDR], reason: 'MaskSize', message: `must be 32 or less for IPv4, not ${size}` });
    } else if (size < prefixLength) {
      // Without an allocation nothing is divided, and the default is nobody's mistake.
      if (!document.isSet(path) && !document.config.ClusterCloudShared.AllocateNodeCIDRs) continue;
      const what = document.isSet(path) ? String(size) : `the default, ${size}`;
      report({
        path,
        about: [CLUSTER_CIDR],
        reason: 'MaskSize',
        message: `must be ${prefixLength} or more within ${network}, not ${what}`,
      });
    } else if (family === 'IPv6' && size > prefixLength + MAX_NODE_BITS_IPV6) {
      if (!document.isSet(path) && !document.config.ClusterCloudShared.AllocateNodeCIDRs) continue;
      const what = document.isSet(path) ? String(size) : `the default, ${size}`;
      const message = `must be at most ${MAX_NODE_BITS_IPV6} more than that of ${network}, ${prefixLength + MAX_NODE_BITS_IPV6}, not ${what}`;
      report({ path, about: [CLUSTER_CIDR], reason: 'MaskSize', message });
    }
  }
};

type ComponentDocument = Exclude<ConfigDocument, ConfigDocumentOf<'LeaderMigrationConfiguration'>>;

/** Those that can be read; at most one of each family. */
function clusterRanges({ config }: ComponentDocument): readonly Cidr[] {
  return config.ClusterCloudShared.ClusterCIDR.trim()
    .split(',')
    .slice(0, 2)
    .flatMap((text) => parseCidr(text) ?? []);
}

export const ADDRESSES: readonly Rule[] = [
  addressesAndRanges,
  dualStackCluster,
  dualStackServices,
  rangeToAllocate,
  masksOfFamilies,
  masksWithinRanges,
];
