/** Rules for addresses and ranges: syntax and families. See node-ranges.ts for how node ranges fit into them. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { isComponent } from '../config-document.ts';
import { isAddress, parseCidr } from './cidr.ts';
import { CLUSTER_CIDR, clusterRanges } from './cluster-ranges.ts';
import type { ConfigRule } from './rule.ts';

const SERVICE = 'NodeIPAMController.ServiceCIDR';
const SECONDARY = 'NodeIPAMController.SecondaryServiceCIDR';

const addressesAndRanges: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    if (field.format === 'ip' && !isAddress(value)) {
      report({ path, reason: 'InvalidAddress', message: `must be an IP address without a port, not ${quotedText(value)}` });
    }
    if (field.format !== 'cidr' && field.format !== 'cidr-pair') continue;
    const texts = field.format === 'cidr-pair' ? value.trim().split(',') : [value];
    for (const text of texts) {
      const range = parseCidr(text);
      if (range === undefined) {
        const hint = path === SERVICE && text.includes(',') ? '; a second range is SecondaryServiceCIDR' : '';
        report({
          path,
          reason: 'InvalidCIDR',
          message: `${quotedText(text)} is not a range such as 10.244.0.0/16 or fd00:10:244::/56${hint}`,
        });
      } else if (range.hasHostBits) {
        report({ path, severity: 'warning', reason: 'HostBits', message: `${text} stands for ${range.network}` });
      }
    }
  }
};

/** At most two ranges, one of each family. */
const dualStackCluster: ConfigRule = (document, report) => {
  if (!isComponent(document)) return;
  const texts = document.config.ClusterCloudShared.ClusterCIDR.trim().split(',');
  if (texts.length > 2) {
    report({ path: CLUSTER_CIDR, reason: 'DualStack', message: `must be one range, or two of different families, not ${texts.length}` });
  }
  const [first, second] = clusterRanges(document);
  if (texts.length === 2 && first !== undefined && first.family === second?.family) {
    report({ path: CLUSTER_CIDR, reason: 'DualStack', message: `must be of different families, but both are of ${first.family}` });
  }
};

const dualStackServices: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { ServiceCIDR, SecondaryServiceCIDR } = document.config.NodeIPAMController;
  if (SecondaryServiceCIDR !== '' && ServiceCIDR === '') {
    report({
      path: SECONDARY,
      relatedPaths: [SERVICE],
      reason: 'DualStack',
      message: 'is the second range of services, but there is no first, ServiceCIDR',
    });
  }
  const [first, second] = [parseCidr(ServiceCIDR), parseCidr(SecondaryServiceCIDR)];
  if (first !== undefined && first.family === second?.family) {
    report({
      path: SECONDARY,
      relatedPaths: [SERVICE],
      reason: 'DualStack',
      message: `must be of the other family than ServiceCIDR, ${ServiceCIDR}, but both are of ${first.family}`,
    });
  }
};

/** Pods cannot reach services if the families of both have none in common. */
const commonFamily: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { ServiceCIDR, SecondaryServiceCIDR } = document.config.NodeIPAMController;
  const pods = clusterRanges(document);
  const services = [ServiceCIDR, SecondaryServiceCIDR].flatMap((text) => parseCidr(text) ?? []);
  const [first] = services;
  if (first === undefined || pods.length === 0) return;
  if (services.some(({ family }) => pods.some((range) => range.family === family))) return;
  report({
    path: SERVICE,
    relatedPaths: [CLUSTER_CIDR, SECONDARY],
    severity: 'warning',
    reason: 'DualStack',
    message: `should be of a family of ClusterCIDR, ${pods.map(({ family }) => family).join(' and ')}, not ${first.family}`,
  });
};

export const ADDRESSES: readonly ConfigRule[] = [addressesAndRanges, dualStackCluster, dualStackServices, commonFamily];
