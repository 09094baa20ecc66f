import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

const CIDR = 'ClusterCloudShared.ClusterCIDR';
const SERVICE = 'NodeIPAMController.ServiceCIDR';
const SECONDARY = 'NodeIPAMController.SecondaryServiceCIDR';

describe('Address', () => {
  it.each(['localhost', '1.2.3.4:80', '[::1]', '1.2.3', '256.0.0.1', 'fe80::1%eth0'])('is not %s', (address) => {
    expect(judgedCluster(`Generic: {Address: "${address}"}`)).toContain(
      `error Generic.Address: must be an IP address without a port, not "${address}"`,
    );
  });

  it.each(['127.0.0.1', '::', 'fd00::1', '0.0.0.0'])('may be %s', (address) => {
    expect(judgedCluster(`Generic: {Address: "${address}"}`).filter((problem) => problem.startsWith('error'))).toEqual([]);
  });
});

describe('ClusterCIDR', () => {
  const cluster = (cidr: string) => judgedCluster(`ClusterCloudShared: {AllocateNodeCIDRs: true, ClusterCIDR: "${cidr}"}`);

  it.each(['10.0.0.0/16', '10.0.0.0/16,fd00::/48', 'fd00::/48,10.0.0.0/16', '010.0.0.0/16', '::ffff:10.0.0.0/104', ' 10.0.0.0/16 '])(
    'accepts %j',
    (cidr) => expect(cluster(cidr)).toEqual([]),
  );

  it.each([
    ['10.0.0.0', `error ${CIDR}: "10.0.0.0" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.0.0.0/33', `error ${CIDR}: "10.0.0.0/33" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.0.0.0/016', `error ${CIDR}: "10.0.0.0/016" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.0.0.0/16, fd00::/48', `error ${CIDR}: " fd00::/48" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.0.0.0/16,', `error ${CIDR}: "" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    ['10.244.1.5/16', `warning ${CIDR}: 10.244.1.5/16 stands for 10.244.0.0/16`],
    ['fd00:10::1/56', `warning ${CIDR}: fd00:10::1/56 stands for fd00:10::/56`],
    ['10.0.0.0/16,10.1.0.0/16', `error ${CIDR}: must be of different families, but both are of IPv4`],
    ['10.0.0.0/16,::ffff:10.1.0.0/112', `error ${CIDR}: must be of different families, but both are of IPv4`],
    ['10.0.0.0/16,fd00::/48,fd01::/48', `error ${CIDR}: must be one range, or two of different families, not 3`],
  ])('rejects %j', (cidr, problem) => expect(cluster(cidr)).toEqual([problem]));

  it('of the cloud component is checked too', () => {
    expect(judgedCloud('ClusterCloudShared: {ClusterCIDR: "10.0.0.0/16,10.1.0.0/16"}')).toEqual([
      `error ${CIDR}: must be of different families, but both are of IPv4`,
    ]);
  });
});

describe('service ranges', () => {
  const services = (text: string, cluster = '10.0.0.0/16') =>
    judgedCluster(`ClusterCloudShared: {AllocateNodeCIDRs: true, ClusterCIDR: "${cluster}"}\nNodeIPAMController: {${text}}`);

  it.each([
    [
      'ServiceCIDR: 10.1.0.0/16, SecondaryServiceCIDR: 10.2.0.0/16',
      `error ${SECONDARY}: must be of the other family than ServiceCIDR, 10.1.0.0/16, but both are of IPv4`,
    ],
    [
      'ServiceCIDR: 10.1.0.0/16, SecondaryServiceCIDR: "::ffff:10.2.0.0/112"',
      `error ${SECONDARY}: must be of the other family than ServiceCIDR, 10.1.0.0/16, but both are of IPv4`,
    ],
    ['ServiceCIDR: any', `error ${SERVICE}: "any" is not a range such as 10.244.0.0/16 or fd00:10:244::/56`],
    [
      'ServiceCIDR: "10.1.0.0/16,fd00::/112"',
      `error ${SERVICE}: "10.1.0.0/16,fd00::/112" is not a range such as 10.244.0.0/16 or fd00:10:244::/56; a second range is SecondaryServiceCIDR`,
    ],
    ['ServiceCIDR: 10.1.2.3/16', `warning ${SERVICE}: 10.1.2.3/16 stands for 10.1.0.0/16`],
    ['ServiceCIDR: "fd00::/112"', `warning ${SERVICE}: should be of a family of ClusterCIDR, IPv4, not IPv6`],
  ])('reject {%s}', (text, problem) => expect(services(text)).toEqual([problem]));

  it('require a first one before a second one', () => {
    expect(services('SecondaryServiceCIDR: 10.2.0.0/16')).toEqual([
      `error ${SECONDARY}: is the second range of services, but there is no first, ServiceCIDR`,
    ]);
  });

  it.each([
    'ServiceCIDR: 10.1.0.0/16',
    'ServiceCIDR: 10.1.0.0/16, SecondaryServiceCIDR: "fd00::/112"',
    'ServiceCIDR: "fd00::/112", SecondaryServiceCIDR: 10.1.0.0/16',
  ])('accept {%s}', (text) => expect(services(text)).toEqual([]));

  it('may be of either family if pods have both', () => {
    expect(services('ServiceCIDR: "fd00::/112"', '10.0.0.0/16,fd01::/48')).toEqual([]);
  });
});
