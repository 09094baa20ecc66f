/** Parses `ClusterCIDR`: the pod ranges, one or two. */
import type { ComponentDocument } from '../config-document.ts';
import type { Cidr } from './cidr.ts';
import { parseCidr } from './cidr.ts';

export const CLUSTER_CIDR = 'ClusterCloudShared.ClusterCIDR';

/** Empty if one of them is invalid, since the meaning of the others would be a guess. */
export function clusterRanges({ config }: ComponentDocument): readonly Cidr[] {
  const ranges = config.ClusterCloudShared.ClusterCIDR.trim().split(',').slice(0, 2).map(parseCidr);
  return ranges.flatMap((range) => (range === undefined || ranges.includes(undefined) ? [] : [range]));
}
