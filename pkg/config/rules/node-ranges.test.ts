import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

const CIDR = 'ClusterCloudShared.ClusterCIDR';
const MASK = 'NodeIPAMController.NodeCIDRMaskSize';
const shared = (text: string) => judgedCluster(`ClusterCloudShared: {${text}}`);
const ipam = (cidr: string, text: string, allocator = 'RangeAllocator') =>
  judgedCluster(
    `ClusterCloudShared: {AllocateNodeCIDRs: true, CIDRAllocatorType: ${allocator}, ClusterCIDR: "${cidr}"}\nNodeIPAMController: {${text}}`,
  );

describe('the range to allocate', () => {
  it('is required', () => {
    expect(shared('AllocateNodeCIDRs: true')).toEqual([`error ${CIDR}: must be set while AllocateNodeCIDRs is true`]);
    expect(shared('AllocateNodeCIDRs: true, ClusterCIDR: " "')).toEqual([`error ${CIDR}: must be set while AllocateNodeCIDRs is true`]);
    expect(shared('AllocateNodeCIDRs: true, ClusterCIDR: 10.0.0.0/16')).toEqual([]);
    expect(shared('AllocateNodeCIDRs: false')).toEqual([]);
  });

  it('is not required if nothing allocates', () => {
    expect(
      judgedCluster('Generic: {Controllers: ["*", -nodeipam]}\nClusterCloudShared: {AllocateNodeCIDRs: true}').filter((problem) =>
        problem.startsWith('error'),
      ),
    ).toEqual([]);
  });

  it('is recommended for routes in the cloud component, where the provider may not need it', () => {
    expect(judgedCloud('ClusterCloudShared: {AllocateNodeCIDRs: true}')).toEqual([
      `warning ${CIDR}: should be set while AllocateNodeCIDRs and ConfigureCloudRoutes are true`,
    ]);
    expect(judgedCloud('ClusterCloudShared: {AllocateNodeCIDRs: true, ConfigureCloudRoutes: false}')).toEqual([]);
    expect(judgedCloud('Generic: {Controllers: ["*", -route]}\nClusterCloudShared: {AllocateNodeCIDRs: true}')).toEqual([]);
    expect(judgedCloud('ClusterCloudShared: {AllocateNodeCIDRs: true, ClusterCIDR: 10.0.0.0/16}')).toEqual([]);
  });
});

describe('the allocator', () => {
  const unavailable = (type: string) =>
    `warning ClusterCloudShared.CIDRAllocatorType: must be RangeAllocator in current releases, which have no built-in cloud provider, not ${type}`;

  it.each(['CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud'])('%s is allowed here, and not in current releases', (type) => {
    expect(shared(`AllocateNodeCIDRs: true, CIDRAllocatorType: ${type}, ClusterCIDR: 10.0.0.0/16`)).toContain(unavailable(type));
    expect(judgedCloud(`ClusterCloudShared: {CIDRAllocatorType: ${type}}`)).toEqual([]);
  });

  it('of a cloud knows the ranges itself', () => {
    expect(shared('AllocateNodeCIDRs: true, CIDRAllocatorType: CloudAllocator')).toEqual([unavailable('CloudAllocator')]);
    expect(ipam('10.0.0.0/16', 'NodeCIDRMaskSizeIPv4: 25', 'CloudAllocator')).toEqual([
      unavailable('CloudAllocator'),
      `warning ${CIDR}: has no effect with CloudAllocator: the cloud knows the ranges`,
      `warning ${MASK}IPv4: has no effect with CloudAllocator: the cloud knows the ranges`,
    ]);
  });

  it.each(['IPAMFromCluster', 'IPAMFromCloud'])('%s needs the range', (type) => {
    expect(shared(`AllocateNodeCIDRs: true, CIDRAllocatorType: ${type}`)).toContain(
      `error ${CIDR}: must be set while AllocateNodeCIDRs is true`,
    );
  });

  it('may be RangeAllocator', () => {
    expect(shared('AllocateNodeCIDRs: true, CIDRAllocatorType: RangeAllocator, ClusterCIDR: 10.0.0.0/16')).toEqual([]);
  });
});

describe('mask sizes', () => {
  it.each([
    [
      '10.0.0.0/16,fd00::/48',
      'NodeCIDRMaskSize: 24',
      `error ${MASK}: must not be set with two cluster ranges; NodeCIDRMaskSizeIPv4 and NodeCIDRMaskSizeIPv6 are`,
    ],
    ['10.0.0.0/16', 'NodeCIDRMaskSizeIPv6: 64', `error ${MASK}IPv6: must not be set: ClusterCIDR, 10.0.0.0/16, is of IPv4`],
    ['fd00::/48', 'NodeCIDRMaskSizeIPv4: 24', `error ${MASK}IPv4: must not be set: ClusterCIDR, fd00::/48, is of IPv6`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 24, NodeCIDRMaskSizeIPv4: 25', `error ${MASK}IPv4: must not be set together with NodeCIDRMaskSize`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 15', `error ${MASK}: must be 16 or more within 10.0.0.0/16, not 15`],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 33', `error ${MASK}: must be 32 or less for IPv4, not 33`],
    ['10.0.0.0/16', 'NodeCIDRMaskSizeIPv4: 33', `error ${MASK}IPv4: must be from 0 to 32, not 33`],
    ['fd00::/48', 'NodeCIDRMaskSizeIPv6: 65', `error ${MASK}IPv6: must be at most 16 more than that of fd00::/48, 64, not 65`],
    ['fd00::/120', 'NodeCIDRMaskSizeIPv6: 129', `error ${MASK}IPv6: must be from 0 to 128, not 129`],
    ['fd00::/48', 'NodeCIDRMaskSize: 47', `error ${MASK}: must be 48 or more within fd00::/48, not 47`],
    ['10.0.0.0/16,fd00::/47', '', `error ${MASK}IPv6: must be at most 16 more than that of fd00::/47, 63, not the default, 64`],
    ['10.0.0.0/25', '', `error ${MASK}IPv4: must be 25 or more within 10.0.0.0/25, not the default, 24`],
  ])('of %s reject {%s}', (cidr, text, problem) => expect(ipam(cidr, text)).toContain(problem));

  it.each([
    ['10.0.0.0/16,fd00::/48', 'NodeCIDRMaskSizeIPv4: 25, NodeCIDRMaskSizeIPv6: 60'],
    ['fd00::/48,10.0.0.0/16', 'NodeCIDRMaskSizeIPv4: 16, NodeCIDRMaskSizeIPv6: 48'],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 16'],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 32'],
    ['10.0.0.0/16', 'NodeCIDRMaskSizeIPv4: 25'],
    ['fd00::/48', 'NodeCIDRMaskSize: 64'],
    ['fd00::/48', 'NodeCIDRMaskSizeIPv6: 64'],
    ['fd00::/112', 'NodeCIDRMaskSizeIPv6: 128'],
    ['10.0.0.0/24', ''],
    ['10.0.0.0/16', 'NodeCIDRMaskSize: 0'],
  ])('of %s accept {%s}', (cidr, text) => expect(ipam(cidr, text)).toEqual([]));

  it('are checked against valid ranges only', () => {
    expect(ipam('10.0.0.0/16,x', 'NodeCIDRMaskSizeIPv6: 64')).toHaveLength(1);
  });

  it('that are defaults are not checked if nothing is allocated', () => {
    const errors = (text: string) => judgedCluster(text).filter((problem) => problem.startsWith('error'));
    expect(errors('ClusterCloudShared: {ClusterCIDR: 10.0.0.0/25}')).toEqual([]);
    expect(errors('ClusterCloudShared: {ClusterCIDR: 10.0.0.0/25}\nNodeIPAMController: {NodeCIDRMaskSize: 24}')).toHaveLength(1);
  });
});
