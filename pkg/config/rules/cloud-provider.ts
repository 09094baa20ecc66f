/** Rules for cloud providers. The cluster controller manager has none built in, so it accepts only `external`. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigRule } from './rule.ts';

const NAME = 'ClusterCloudShared.CloudProvider.Name';
const FILE = 'ClusterCloudShared.CloudProvider.CloudConfigFile';
const UNTAGGED = 'ClusterCloudShared.AllowUntaggedCloud';

const externalProvider: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const { CloudProvider, AllowUntaggedCloud } = document.config.ClusterCloudShared;
  if (CloudProvider.Name !== '' && CloudProvider.Name !== 'external') {
    const message = `must be external or empty in current releases, which have no built-in cloud provider, not ${quotedText(CloudProvider.Name)}`;
    report({ path: NAME, severity: 'warning', reason: 'Unavailable', message });
  }
  const effectless = {
    severity: 'warning',
    reason: 'NoEffect',
    message: 'has no effect in this component: no cloud provider is built in',
  } as const;
  if (CloudProvider.CloudConfigFile !== '') report({ path: FILE, ...effectless });
  if (AllowUntaggedCloud) report({ path: UNTAGGED, ...effectless });
};

export const CLOUD_PROVIDER: readonly ConfigRule[] = [externalProvider];
