/** `ClusterCIDR` as the rules see it: the ranges of pods, one or two. */
import type { ComponentDocument } from '../config-document.ts';
import type { Cidr } from './cidr.ts';
import { parseCidr } from './cidr.ts';

export const CLUSTER_CIDR = 'ClusterCloudShared.ClusterCIDR';

/** None where one of them cannot be read: what the others are would be a guess. */
export function clusterRanges({ config }: ComponentDocument): readonly Cidr[] {
  const ranges = config.ClusterCloudShared.ClusterCIDR.trim().split(',').slice(0, 2).map(parseCidr);
  return ranges.flatMap((range) => (range === undefined || ranges.includes(undefined) ? [] : [range]));
}
